//! Hosts: the host of an address, and its kind (`shortcuts.md` §5, kinds).
//!
//! Never resolves a name.

use super::fact::HostKind;
use super::project::Project;
use crate::data::hosts::{self, HostClass};

/// The host of an address: of a URL, of `user@host:path`, of a bare `host:port/path`. `None` for a name with empty
/// labels, which no resolver takes.
pub(super) fn host_of(address: &str) -> Option<String> {
    let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
    let rest = rest.split(['/', '?', '#']).next().unwrap_or(rest);
    let rest = rest.rsplit('@').next().unwrap_or(rest);
    let host = match rest.strip_prefix('[') {
        Some(six) => six.split(']').next().unwrap_or(six),
        None if rest.matches(':').count() > 1 => rest,
        None => rest.split(':').next().unwrap_or(rest),
    };
    let host = host.trim_matches(['"', '\'']).trim_end_matches('.').to_ascii_lowercase();
    let is_name = !host.is_empty()
        && host.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-_:".contains(&byte))
        && (host.contains(':') || host.split('.').all(|label| !label.is_empty()));
    is_name.then_some(host)
}

/// The kind of a host; of a code host by whether the address names the task's repository.
pub(super) fn kind_of(project: &Project, host: Option<&str>, address: Option<&str>) -> HostKind {
    let Some(host) = host else { return HostKind::Unknown };
    if let Some(kind) = local(host) {
        return kind;
    }
    match hosts::class(host) {
        Some(HostClass::PackageRegistry) => HostKind::PackageRegistry,
        Some(HostClass::CodeHost) => {
            let is_upstream = address.is_some_and(|address| project.is_named_in(address));
            if is_upstream { HostKind::CodeHostUpstream } else { HostKind::CodeHostOther }
        }
        Some(HostClass::Mirror) => HostKind::Mirror,
        Some(HostClass::DataHost) => HostKind::DataHost,
        Some(HostClass::Search) => HostKind::Search,
        Some(HostClass::Docs) => HostKind::Docs,
        None => HostKind::Other,
    }
}

/// Loopback and private addresses and names.
fn local(host: &str) -> Option<HostKind> {
    if host == "localhost" || host == "0" || host.ends_with(".localhost") {
        return Some(HostKind::Loopback);
    }
    if let Ok(address) = host.parse::<std::net::IpAddr>() {
        return match address {
            std::net::IpAddr::V4(four) if four.is_loopback() || four.is_unspecified() => {
                Some(HostKind::Loopback)
            }
            std::net::IpAddr::V4(four) if four.is_private() || four.is_link_local() => {
                Some(HostKind::Private)
            }
            std::net::IpAddr::V6(six) if six.is_loopback() || six.is_unspecified() => {
                Some(HostKind::Loopback)
            }
            std::net::IpAddr::V6(six) if six.is_unique_local() || six.is_unicast_link_local() => {
                Some(HostKind::Private)
            }
            _ => None,
        };
    }
    const PRIVATE: [&str; 7] =
        [".local", ".internal", ".lan", ".test", ".invalid", ".example", "host.docker.internal"];
    // `example` as a top-level name is reserved, but stands for real hosts in cleaned logs; a single label is a
    // service of the same network.
    let reserved = PRIVATE.iter().any(|end| *end != ".example" && host.ends_with(end));
    (!host.contains('.') || reserved).then_some(HostKind::Private)
}
