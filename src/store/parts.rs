//! One Parquet file: batches in, a file named by its content out. Settings are those of rust.md §3: zstd 1, no
//! dictionary and no statistics on long text, row groups bounded in rows and in bytes, so that memory is bounded
//! and the same batches give the same bytes.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use arrow::array::RecordBatch;
use arrow::datatypes::SchemaRef;
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::schema::types::ColumnPath;

use super::error::StoreError;
use super::manifest::Part;

/// Rows of a row group: the unit in which polars and DuckDB share out their work.
const GROUP_ROWS: usize = 32 * 1024;

/// Compressed bytes after which a row group of long text is closed; they are held in memory until then.
const GROUP_BYTES: usize = 4 << 20;

/// Bytes of a dictionary after which a column goes on without one.
const DICTIONARY_BYTES: usize = 128 << 10;

/// Rows of a page: a column holds 8 bytes of each until its page is closed.
const PAGE_ROWS: usize = 8 * 1024;

/// Bytes of a page before compression. A column keeps a compressor whose memory grows with its pages, and some two
/// hundred columns are open at once.
const PAGE_BYTES: usize = 64 << 10;

/// The same for long text, of which there are few columns: four times the size saves a thirtieth of the bytes and costs
/// fresh memory for each page.
const LONG_PAGE_BYTES: usize = 128 << 10;

/// Rows after which a part is closed.
pub(super) const PART_ROWS: u64 = 1 << 20;

/// A part that is being written.
pub(super) struct PartWriter {
    writer: ArrowWriter<HashingFile>,
    path: PathBuf,
    rows: u64,
}

impl PartWriter {
    /// Begins a part in `path`; `long` names the columns of long text.
    pub(super) fn create(path: PathBuf, schema: SchemaRef, long: &[&str]) -> Result<PartWriter, StoreError> {
        let failed = |error| StoreError::io("write", &path, error);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(failed)?;
        }
        let file = HashingFile::create(&path).map_err(failed)?;
        let writer = ArrowWriter::try_new(file, schema, Some(properties(long)))
            .map_err(|error| StoreError::parquet("write", &path, error))?;
        Ok(PartWriter { writer, path, rows: 0 })
    }

    /// Rows so far.
    pub(super) fn rows(&self) -> u64 {
        self.rows
    }

    /// Adds a batch. The row group is closed here, by what was written and never by time or memory, since the
    /// place of a cut changes the bytes.
    pub(super) fn write(&mut self, batch: &RecordBatch) -> Result<(), StoreError> {
        self.rows += batch.num_rows() as u64;
        self.writer
            .write(batch)
            .and_then(|()| {
                if self.writer.in_progress_size() >= GROUP_BYTES { self.writer.flush() } else { Ok(()) }
            })
            .map_err(|error| StoreError::parquet("write", &self.path, error))
    }

    /// Ends the part and gives it its name in its folder.
    pub(super) fn finish(self) -> Result<Part, StoreError> {
        let PartWriter { writer, path, rows } = self;
        let file = writer.into_inner().map_err(|error| StoreError::parquet("write", &path, error))?;
        let (digest, bytes) = file.finish(rows > 0).map_err(|error| StoreError::io("write", &path, error))?;
        let part = Part { name: format!("{}.parquet", &digest.to_hex()[..16]), rows, bytes };
        let named = path.with_file_name(&part.name);
        fs::rename(&path, &named).map_err(|error| StoreError::io("write", &named, error))?;
        Ok(part)
    }

    /// Ends a file that keeps the name it was created with.
    pub(super) fn finish_here(self) -> Result<(), StoreError> {
        let path = self.path;
        let file = self.writer.into_inner().map_err(|error| StoreError::parquet("write", &path, error))?;
        file.finish(true).map(|_| ()).map_err(|error| StoreError::io("write", &path, error))
    }
}

fn properties(long: &[&str]) -> WriterProperties {
    let zstd = ZstdLevel::try_new(1).expect("1 is a level of zstd");
    let mut builder = WriterProperties::builder()
        .set_created_by("ethogram".to_owned())
        .set_compression(Compression::ZSTD(zstd))
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .set_dictionary_page_size_limit(DICTIONARY_BYTES)
        .set_data_page_size_limit(PAGE_BYTES)
        .set_data_page_row_count_limit(PAGE_ROWS)
        .set_max_row_group_row_count(Some(GROUP_ROWS));
    for name in long {
        let column = ColumnPath::from(*name);
        builder = builder
            .set_column_dictionary_enabled(column.clone(), false)
            .set_column_data_page_size_limit(column.clone(), LONG_PAGE_BYTES)
            .set_column_statistics_enabled(column, EnabledStatistics::None);
    }
    builder.build()
}

/// A file that knows the digest of its bytes.
struct HashingFile {
    file: BufWriter<File>,
    hasher: blake3::Hasher,
    bytes: u64,
}

impl HashingFile {
    fn create(path: &Path) -> io::Result<HashingFile> {
        let file = BufWriter::with_capacity(1 << 16, File::create(path)?);
        Ok(HashingFile { file, hasher: blake3::Hasher::new(), bytes: 0 })
    }

    fn finish(mut self, sync: bool) -> io::Result<(blake3::Hash, u64)> {
        self.file.flush()?;
        if sync {
            self.file.get_ref().sync_data()?;
        }
        Ok((self.hasher.finalize(), self.bytes))
    }
}

impl Write for HashingFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes)?;
        self.hasher.update(&bytes[..written]);
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}
