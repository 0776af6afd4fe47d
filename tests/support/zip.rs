//! ZIP archives made by hand, so that they may lie about themselves.

use std::io::Write;

/// One member.
#[derive(Clone)]
pub struct Packed {
    pub name: String,
    pub flags: u16,
    pub method: u16,
    pub crc: u32,
    /// The unpacked size that is declared.
    pub declared: u32,
    /// Bytes as they are packed.
    pub bytes: Vec<u8>,
}

/// A member that says the truth: stored (0), deflated (8), or Zstandard (93).
pub fn packed(name: &str, method: u16, content: &[u8]) -> Packed {
    let mut crc = flate2::Crc::new();
    crc.update(content);
    let bytes = match method {
        8 => {
            let mut encoder = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::default());
            encoder.write_all(content).unwrap();
            encoder.finish().unwrap()
        }
        93 => zstd::encode_all(content, 1).unwrap(),
        _ => content.to_vec(),
    };
    let declared = u32::try_from(content.len()).unwrap();
    Packed { name: name.to_owned(), flags: 0, method, crc: crc.sum(), declared, bytes }
}

/// The archive of these members.
pub fn archive(members: &[Packed]) -> Vec<u8> {
    let (mut out, mut list) = (Vec::new(), Vec::new());
    for member in members {
        let at = u32::try_from(out.len()).unwrap();
        let mut common = Vec::new();
        for number in [20, member.flags, member.method, 0, 0x5921] {
            common.extend(number.to_le_bytes());
        }
        let size = u32::try_from(member.bytes.len()).unwrap();
        for number in [member.crc, size, member.declared] {
            common.extend(number.to_le_bytes());
        }
        common.extend(u16::try_from(member.name.len()).unwrap().to_le_bytes());
        common.extend([0, 0]);
        out.extend(b"PK\x03\x04");
        out.extend(&common);
        out.extend(member.name.bytes());
        out.extend(&member.bytes);
        list.extend(b"PK\x01\x02\x14\x00");
        list.extend(&common);
        list.extend([0; 10]);
        list.extend(at.to_le_bytes());
        list.extend(member.name.bytes());
    }
    let start = u32::try_from(out.len()).unwrap();
    let count = u16::try_from(members.len()).unwrap().to_le_bytes();
    out.extend(&list);
    out.extend(b"PK\x05\x06\x00\x00\x00\x00");
    out.extend([count, count].concat());
    out.extend(u32::try_from(list.len()).unwrap().to_le_bytes());
    out.extend(start.to_le_bytes());
    out.extend([0, 0]);
    out
}
