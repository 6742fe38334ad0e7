//! Threads that encode rows. Each takes the next rows, and waits for its turn with the result, so that rows are put in
//! input order, however many threads there are.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

use super::Options;
use super::encode::Encoder;
use super::places::Places;
use super::rows::{Encoded, Omission, Rows};
use super::spare::Spare;

/// The outcome of some rows. The rows are returned, because the data that they borrow may have to be dropped where it
/// came from.
pub struct Outcome {
    pub rows: Box<dyn Rows>,
    pub tag: u64,
    /// Number of entries written.
    pub taken: u64,
    /// What was left out, in the order of the entries.
    pub omissions: Vec<Omission>,
}

struct Job {
    number: u64,
    group: usize,
    rows: Box<dyn Rows>,
    tag: u64,
}

struct Ordered {
    places: Places,
    /// Number of jobs done, which is the number of the job whose turn it is.
    done: u64,
    outcomes: Vec<Outcome>,
    /// The first error; nothing is added to a part after it.
    error: Option<io::Error>,
}

struct Shared {
    ordered: Mutex<Ordered>,
    turn: Condvar,
    spare: Spare,
}

/// The buffers and encoder of one thread.
struct Desk {
    encoder: Encoder,
    encoded: Encoded,
}

/// The threads, which are started once there is work for them.
pub struct Workers {
    shared: Arc<Shared>,
    options: Options,
    desk: Desk,
    threads: usize,
    running: Vec<JoinHandle<()>>,
    jobs: Option<SyncSender<Job>>,
    handed: u64,
}

impl Workers {
    pub fn new(places: Places, options: Options, spare: Spare, threads: usize) -> Self {
        let ordered = Ordered {
            places,
            done: 0,
            outcomes: Vec::new(),
            error: None,
        };
        Self {
            shared: Arc::new(Shared {
                ordered: Mutex::new(ordered),
                turn: Condvar::new(),
                spare,
            }),
            desk: Desk::new(&options),
            options,
            threads,
            running: Vec::new(),
            jobs: None,
            handed: 0,
        }
    }

    /// Whether all jobs are done.
    pub fn are_idle(&self) -> bool {
        self.handed == 0 || self.shared.lock().done == self.handed
    }

    /// Runs a job on this thread; all others must be done.
    pub fn work_here(&mut self, group: usize, rows: Box<dyn Rows>, tag: u64) -> io::Result<()> {
        let number = self.handed;
        self.handed += 1;
        self.shared.work(
            &mut self.desk,
            Job {
                number,
                group,
                rows,
                tag,
            },
        );
        self.shared.check()
    }

    /// Passes a job to the threads; waits while their queue is full.
    pub fn hand_over(&mut self, group: usize, rows: Box<dyn Rows>, tag: u64) -> io::Result<()> {
        if self.jobs.is_none() {
            self.begin()?;
        }
        let number = self.handed;
        let job = Job {
            number,
            group,
            rows,
            tag,
        };
        let stopped = || io::Error::other("the encoder threads have stopped");
        self.jobs
            .as_ref()
            .ok_or_else(stopped)?
            .send(job)
            .map_err(|_| stopped())?;
        self.handed += 1;
        self.shared.check()
    }

    pub fn outcomes(&mut self) -> Vec<Outcome> {
        std::mem::take(&mut self.shared.lock().outcomes)
    }

    /// Waits until all jobs are done.
    pub fn wait(&mut self) -> io::Result<()> {
        let handed = self.handed;
        drop(self.shared.wait(|ordered| ordered.done == handed));
        self.shared.check()
    }

    /// Uses the places while no job is running.
    pub fn with_places<T>(&mut self, work: impl FnOnce(&mut Places) -> T) -> T {
        work(&mut self.shared.lock().places)
    }

    /// Waits until no thread encodes or writes.
    pub fn stop(&mut self) {
        self.jobs = None;
        for thread in self.running.drain(..) {
            drop(thread.join());
        }
        self.with_places(Places::stop);
    }

    fn begin(&mut self) -> io::Result<()> {
        let (sender, receiver) = sync_channel(self.threads);
        let receiver = Arc::new(Mutex::new(receiver));
        for _ in 0..self.threads {
            let (shared, receiver) = (Arc::clone(&self.shared), Arc::clone(&receiver));
            let mut desk = Desk::new(&self.options);
            let thread = std::thread::Builder::new().name("urlset-encode".to_owned());
            self.running.push(thread.spawn(move || {
                while let Some(job) = next(&receiver) {
                    shared.work(&mut desk, job);
                }
            })?);
        }
        self.jobs = Some(sender);
        Ok(())
    }
}

impl Drop for Workers {
    fn drop(&mut self) {
        self.stop();
    }
}

fn next(jobs: &Mutex<Receiver<Job>>) -> Option<Job> {
    jobs.lock().unwrap_or_else(PoisonError::into_inner).recv().ok()
}

impl Desk {
    fn new(options: &Options) -> Self {
        Self {
            encoder: Encoder::new(options.clone()),
            encoded: Encoded::default(),
        }
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Ordered> {
        self.ordered.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait(&self, until: impl Fn(&Ordered) -> bool) -> MutexGuard<'_, Ordered> {
        self.turn
            .wait_while(self.lock(), |ordered| !until(ordered))
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the first error once; after that, only that there was one.
    fn check(&self) -> io::Result<()> {
        match &mut self.lock().error {
            None => Ok(()),
            Some(error) => {
                let again = match error.raw_os_error() {
                    Some(code) => io::Error::from_raw_os_error(code),
                    None => io::Error::other(error.to_string()),
                };
                Err(std::mem::replace(error, again))
            }
        }
    }

    /// Encodes the rows, waits for the turn, and puts them in place. The turn is passed on whatever happens.
    fn work(&self, desk: &mut Desk, mut job: Job) {
        desk.encoded.clear();
        desk.encoded.bytes = self.spare.take();
        let is_encoded = catch_unwind(AssertUnwindSafe(|| {
            job.rows.encode(&mut desk.encoder, &mut desk.encoded);
        }))
        .is_ok();
        let mut ordered = self.wait(|ordered| ordered.done == job.number);
        let mut taken = 0;
        if ordered.error.is_none() {
            let put = catch_unwind(AssertUnwindSafe(|| {
                ordered.places.put(job.group, job.rows.as_ref(), &mut desk.encoded)
            }));
            match put {
                Ok(Ok((count, buffer))) if is_encoded => {
                    taken = count;
                    buffer.into_iter().for_each(|buffer| self.spare.give(buffer));
                }
                Ok(Err(error)) => ordered.error = Some(error),
                _ => ordered.error = Some(io::Error::other("an encoder thread failed")),
            }
        }
        ordered.outcomes.push(Outcome {
            rows: job.rows,
            tag: job.tag,
            taken,
            omissions: desk.encoded.take_omissions(),
        });
        ordered.done += 1;
        drop(ordered);
        self.turn.notify_all();
    }
}
