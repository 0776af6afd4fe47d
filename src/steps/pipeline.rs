//! Files in order through many threads: a batch is worked on in parallel while the batch before it is written, each in
//! the order in which it came. Memory holds two batches, whatever the number of files.

use std::sync::Mutex;

use rayon::prelude::*;

use super::error::StepError;

/// Memory that a worker uses again from one item to the next.
pub type Scratch = Vec<u8>;

/// Bytes of input after which a batch is full: few enough that its texts are still at hand when they are written.
const BATCH_BYTES: u64 = 8 << 20;

/// Files after which a batch is full.
const BATCH_FILES: usize = 128;

/// Takes items, works on them in parallel, and gives the results to a sink in order.
pub struct Pipeline<T, R, W, S> {
    batch: Vec<T>,
    bytes: u64,
    done: Vec<R>,
    /// Scratch that no worker uses now: fresh memory for each batch costs as much as its bytes.
    free: Mutex<Vec<Scratch>>,
    work: W,
    sink: S,
}

impl<T, R, W, S> Pipeline<T, R, W, S>
where
    T: Send,
    R: Send,
    W: Fn(T, &mut Scratch) -> R + Sync,
    S: FnMut(R) -> Result<(), StepError> + Send,
{
    /// A pipeline of a worker and a sink.
    pub fn new(work: W, sink: S) -> Self {
        Pipeline { batch: Vec::new(), bytes: 0, done: Vec::new(), free: Mutex::default(), work, sink }
    }

    /// Takes an item of so many bytes; a full batch is worked on.
    pub fn push(&mut self, item: T, bytes: u64) -> Result<(), StepError> {
        self.batch.push(item);
        self.bytes += bytes;
        if self.bytes >= BATCH_BYTES || self.batch.len() >= BATCH_FILES { self.turn() } else { Ok(()) }
    }

    /// Works on the open batch while the one before goes to the sink.
    fn turn(&mut self) -> Result<(), StepError> {
        let batch = std::mem::take(&mut self.batch);
        let done = std::mem::take(&mut self.done);
        self.bytes = 0;
        let (work, sink, free) = (&self.work, &mut self.sink, &self.free);
        let (worked, sunk) = rayon::join(
            || {
                batch
                    .into_par_iter()
                    .map_init(|| Lease::of(free), |lease, item| work(item, &mut lease.scratch))
                    .collect::<Vec<R>>()
            },
            || done.into_iter().try_for_each(sink),
        );
        self.done = worked;
        sunk
    }

    /// Works off what is left.
    pub fn finish(mut self) -> Result<(), StepError> {
        self.turn()?;
        self.turn()
    }
}

/// Scratch that goes back when its worker has no more items.
struct Lease<'p> {
    scratch: Scratch,
    free: &'p Mutex<Vec<Scratch>>,
}

impl<'p> Lease<'p> {
    fn of(free: &'p Mutex<Vec<Scratch>>) -> Lease<'p> {
        let scratch = free.lock().ok().and_then(|mut free| free.pop()).unwrap_or_default();
        Lease { scratch, free }
    }
}

impl Drop for Lease<'_> {
    fn drop(&mut self) {
        if let Ok(mut free) = self.free.lock() {
            free.push(std::mem::take(&mut self.scratch));
        }
    }
}

/// More threads than this only wait for each other.
const MOST_THREADS: usize = 256;

/// Runs a step on so many threads, by default one a core; the number changes no result. The threads end with the step, so
/// that what they kept of memory serves those of the next.
pub fn with_threads<T: Send>(
    threads: Option<usize>,
    step: impl FnOnce() -> Result<T, StepError> + Send,
) -> Result<T, StepError> {
    // 0 is the builder's word for one a core.
    let threads = threads.unwrap_or(0).min(MOST_THREADS);
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .map_err(|error| StepError::Threads { threads, why: error.to_string() })?;
    pool.install(step)
}
