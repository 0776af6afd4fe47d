//! `store/.lock`: one writer. The lock is the operating system's and ends with its process, so that nothing stale
//! can be left behind; the file itself stays, since deleting it would let two writers hold two files of one name.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, Write};
use std::path::Path;

use super::error::StoreError;

/// The right to write a store, held until it is dropped.
#[derive(Debug)]
pub(super) struct Lock {
    _file: File,
}

impl Lock {
    /// Takes the lock of the store at `path`, or says who has it.
    pub(super) fn take(path: &Path) -> Result<Lock, StoreError> {
        let name = path.join(".lock");
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&name)
            .map_err(|error| StoreError::io("open", &name, error))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(StoreError::Locked { path: path.to_owned(), pid: holder(&mut file) });
            }
            Err(TryLockError::Error(error)) => return Err(StoreError::io("lock", &name, error)),
        }
        sign(&mut file).map_err(|error| StoreError::io("write", &name, error))?;
        Ok(Lock { _file: file })
    }
}

fn holder(file: &mut File) -> Option<u32> {
    let mut text = String::new();
    file.read_to_string(&mut text).ok()?;
    text.trim().parse().ok()
}

fn sign(file: &mut File) -> std::io::Result<()> {
    file.set_len(0)?;
    file.rewind()?;
    writeln!(file, "{}", std::process::id())
}
