//! Reports over studies made by hand: the verdict's words, every format's escape, the page's safety, the folder.

mod folder;
mod formats;
mod latex;
mod page;
mod shift;
mod study;
mod tables;
mod terminal;
mod verdict;

/// Names that try to be markup, formulas, controls.
pub const HOSTILE: [&str; 9] = [
    "<script>alert(1)</script>",
    "\"><img src=x onerror=alert(1)>",
    "a|b`c`*d*[x](javascript:alert(1))",
    "=HYPERLINK(\"http://evil.example\",\"x\")",
    "\u{1b}[31mred\u{1b}]0;title\u{7}",
    "abc\u{202e}txt.exe",
    "\\input{/etc/passwd}$x^2$",
    "../../../../tmp/evil",
    "{{script}}&amp;</style></title>",
];
