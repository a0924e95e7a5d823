//! Planning and estimating off the async threads, as many at once as there are cores, with answers kept.

use super::ServiceError;
use crate::metrics::Metrics;
use app::backend::Checked;
use engine::answer::Influence;
use engine::answer::LargestModel;
use engine::decisions::Decision;
use engine::{Estimate, EstimateRequest, Plan, PlanRequest, Problem};
use quick_cache::sync::Cache;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::{OnceCell, Semaphore};
use tokio::task::JoinSet;

/// Plans kept; one is a few hundred KB.
const KEPT_PLANS: usize = 512;
/// How long a caller waits for a core before it is told to come back.
const QUEUE_PATIENCE: Duration = Duration::from_secs(6);
/// How long plans or estimates that are asked for together may take together, before they are given up.
const BATCH_PATIENCE: Duration = Duration::from_secs(8);
/// Estimates that one thread makes in a row: short enough that others get their turn in between.
const ESTIMATES_IN_A_ROW: usize = 4;

/// The planning service. Clones share cores and answers.
#[derive(Clone, Debug)]
pub struct Planning {
    plans: Arc<Cache<String, Arc<Plan>>>,
    cores: Arc<Semaphore>,
    threads: usize,
    metrics: Metrics,
    checked: Arc<OnceCell<Checked>>,
}

impl Planning {
    /// Nothing kept yet.
    pub fn new(metrics: Metrics) -> Self {
        let threads = std::thread::available_parallelism().map_or(2, usize::from);
        Self {
            plans: Arc::new(Cache::new(KEPT_PLANS)),
            cores: Arc::new(Semaphore::new(threads)),
            threads,
            metrics,
            checked: Arc::default(),
        }
    }

    /// Plans, with explanations. The same request gets the same answer without computing twice, also while the first
    /// is still being computed.
    ///
    /// # Errors
    /// All cores are taken for too long, or the engine failed.
    pub async fn plan(&self, request: PlanRequest) -> Result<Arc<Plan>, ServiceError> {
        // fields in their order, maps sorted: the same request is the same text
        let key = serde_json::to_string(&request).map_err(|error| ServiceError::Internal(error.to_string()))?;
        let (plans, kept_as, metrics) = (Arc::clone(&self.plans), key.clone(), self.metrics.clone());
        let mut kept = true;
        let missed = &mut kept;
        let computing = self.compute(move || {
            let start = Instant::now();
            let plan = Arc::new(engine::plan(&request));
            metrics.plan_computed(start.elapsed());
            // kept even if its caller has left meanwhile: the next one need not wait again
            plans.insert(kept_as, Arc::clone(&plan));
            plan
        });
        // polled only where the plan is neither kept nor being computed
        let computed = async {
            *missed = false;
            self.metrics.plan_missed();
            computing.await
        };
        let plan = self.plans.get_or_insert_async(key.as_str(), computed).await?;
        if kept {
            self.metrics.plan_kept();
        }
        Ok(plan)
    }

    /// A plan for each request, in their order. Those for which there is no time left are told to come back; what is
    /// being computed for them then is kept.
    pub async fn plans(&self, requests: Vec<PlanRequest>) -> Vec<Result<Arc<Plan>, ServiceError>> {
        let end = Instant::now() + BATCH_PATIENCE;
        let mut answers: Vec<_> = requests.iter().map(|_| Err(ServiceError::Busy)).collect();
        let mut waiting = requests.into_iter().enumerate();
        let mut running = JoinSet::new();
        loop {
            // no more at once than there are cores, as for estimates
            for (index, request) in waiting.by_ref().take(self.threads - running.len()) {
                let planning = self.clone();
                running.spawn(async move { (index, planning.plan(request).await) });
            }
            let left = end.saturating_duration_since(Instant::now());
            match tokio::time::timeout(left, running.join_next()).await {
                Ok(Some(Ok((index, answer)))) => {
                    if let Some(place) = answers.get_mut(index) {
                        *place = answer;
                    }
                }
                Ok(Some(Err(error))) => tracing::error!(%error, "one of several plans failed"),
                Ok(None) | Err(_) => return answers,
            }
        }
    }

    /// Other work that takes a core, such as making a workbook.
    ///
    /// # Errors
    /// All cores are taken for too long, or the work failed.
    pub async fn on_a_core<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, ServiceError> {
        self.compute(work).await
    }

    /// The choices behind a plan; about as much work as the plan.
    ///
    /// # Errors
    /// All cores are taken for too long, or the engine failed.
    pub async fn decisions(&self, plan: Arc<Plan>) -> Result<Vec<Decision>, ServiceError> {
        self.compute(move || engine::decisions(&plan)).await
    }

    /// What a tenth more of each input does to a figure; about as much work as a few plans.
    ///
    /// # Errors
    /// All cores are taken for too long, or the engine failed.
    pub async fn influences(&self, plan: Arc<Plan>, key: String) -> Result<Vec<Influence>, ServiceError> {
        self.compute(move || engine::influences(&plan, &key)).await
    }

    /// The rules of thumb with their checks: dozens of plans' work at first, then kept.
    ///
    /// # Errors
    /// All cores are taken for too long, or the engine failed.
    pub async fn checked(&self) -> Result<Checked, ServiceError> {
        let work = || Checked { rules: engine::rules(), builds: engine::reference_builds() };
        self.checked.get_or_try_init(|| self.compute(work)).await.copied()
    }

    /// The largest model that the limits of a request allow; about ten plans' work.
    ///
    /// # Errors
    /// All cores are taken for too long, or the engine failed.
    pub async fn largest_model(&self, request: PlanRequest) -> Result<Option<LargestModel>, ServiceError> {
        self.compute(move || engine::largest_model(&request)).await
    }

    /// Estimates each request; the answers are in the order of the requests.
    ///
    /// # Errors
    /// All cores are taken for too long, or the engine failed.
    pub async fn estimates(
        &self,
        requests: Vec<EstimateRequest>,
    ) -> Result<Vec<Result<Estimate, Problem>>, ServiceError> {
        let (start, all) = (Instant::now(), requests.len().div_ceil(ESTIMATES_IN_A_ROW));
        let mut waiting = requests.chunks(ESTIMATES_IN_A_ROW).map(<[EstimateRequest]>::to_vec).enumerate();
        let mut running = JoinSet::new();
        let mut chunks = Vec::new();
        loop {
            // no more at once than there are cores: whoever asks meanwhile waits for these and not for all of them
            for (index, chunk) in waiting.by_ref().take(self.threads - running.len()) {
                let planning = self.clone();
                running.spawn(async move {
                    let answers = planning.compute(move || chunk.iter().map(engine::estimate).collect::<Vec<_>>());
                    (index, answers.await)
                });
            }
            let Some(done) = running.join_next().await else { break };
            let (index, answers) = done.map_err(|error| ServiceError::Internal(error.to_string()))?;
            chunks.push((index, answers?));
            if chunks.len() < all && start.elapsed() > BATCH_PATIENCE {
                return Err(ServiceError::Busy);
            }
        }
        chunks.sort_by_key(|(index, _)| *index);
        Ok(chunks.into_iter().flat_map(|(_, answers)| answers).collect())
    }

    /// Runs work on a thread that may block. The core is held until the work ends, even if its caller has left.
    async fn compute<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T, ServiceError> {
        let core = tokio::time::timeout(QUEUE_PATIENCE, Arc::clone(&self.cores).acquire_owned()).await;
        let core = core.map_err(|_| ServiceError::Busy)?.map_err(|error| ServiceError::Internal(error.to_string()))?;
        let span = tracing::Span::current();
        let worked = tokio::task::spawn_blocking(move || {
            let answer = span.in_scope(work);
            drop(core);
            answer
        });
        worked.await.map_err(|error| ServiceError::Internal(format!("the engine failed: {error}")))
    }
}
