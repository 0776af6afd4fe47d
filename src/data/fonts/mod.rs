//! The font of charts and pages: Inter, cut and renamed by `cut.py` beside this file (licence in `OFL.txt`). Owns the
//! bytes and the CSS that embeds them; it draws and measures nothing. No system font is ever needed (look.md §3).

/// Family name inside the font files.
pub const FAMILY: &str = "Ethogram Sans";
/// Regular, to measure and to make pictures.
pub const REGULAR: &[u8] = include_bytes!("EthogramSans-Regular.otf");
/// Inter's SemiBold, registered as bold.
pub const BOLD: &[u8] = include_bytes!("EthogramSans-Bold.otf");
/// Regular for pages and standalone SVG.
pub const REGULAR_WOFF2: &[u8] = include_bytes!("EthogramSans-Regular.woff2");
/// Bold for pages and standalone SVG.
pub const BOLD_WOFF2: &[u8] = include_bytes!("EthogramSans-Bold.woff2");

/// Two `@font-face` rules with the fonts inside, for a page or an SVG that must stand alone.
pub fn css() -> String {
    [(400, REGULAR_WOFF2), (700, BOLD_WOFF2)]
        .map(|(weight, bytes)| {
            format!(
                "@font-face{{font-family:\"{FAMILY}\";font-weight:{weight};\
                 src:url(data:font/woff2;base64,{}) format(\"woff2\")}}",
                base64(bytes)
            )
        })
        .concat()
}

/// Base64 with padding (RFC 4648), as data addresses and content policies ask for.
pub fn base64(bytes: &[u8]) -> String {
    const SIGNS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for three in bytes.chunks(3) {
        let word = (0..3).fold(0u32, |word, place| word << 8 | u32::from(*three.get(place).unwrap_or(&0)));
        for place in 0..4 {
            let is_padding = place > three.len();
            let sign = SIGNS[(word >> (18 - 6 * place) & 63) as usize];
            out.push(if is_padding { '=' } else { char::from(sign) });
        }
    }
    out
}
