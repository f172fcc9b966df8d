//! Requests of several peers, to compare a load test with: how long each takes to its reply.
use std::{
    collections::BTreeMap,
    time::{Duration, Instant},
};

use futures::future::{join_all, try_join_all};
use serde_json::{Value, json};
use tokio::{
    sync::{mpsc, oneshot},
    task::yield_now,
};

use crate::{Failure, Question};

type Peer = mpsc::Sender<Question>;
/// A request with how long it took.
type Timed = (String, u64);

/// Timers count whole milliseconds and come up to one late, so the last stretch is not slept: as the load generator that is compared does.
const TIMER_SLACK: Duration = Duration::from_millis(2);

/// run has `count` requests sent, each by the next peer: at an even rate, or as fast as they are answered.
pub async fn run(peers: Vec<Peer>, question: &Value) -> Result<Value, Failure> {
    let count = question["count"].as_u64().ok_or("a count is needed")? as usize;
    let requests: Vec<Value> = (0..count).map(|index| request(index, peers.len(), question)).collect();
    let timed = match question["rate"].as_f64() {
        Some(rate) => open(peers, requests, rate).await?,
        None => closed(peers, requests).await?,
    };
    let mut micros = BTreeMap::<String, Vec<u64>>::new();
    for (op, taken) in timed {
        micros.entry(op).or_default().push(taken);
    }
    Ok(json!({ "micros": micros }))
}

/// Every `registerEvery`-th request of a peer registers it in a namespace of its own, the others discover in all of them in turn.
fn request(index: usize, peers: usize, question: &Value) -> Value {
    let (round, peer) = (index / peers, index % peers);
    let registers = question["registerEvery"].as_u64().is_some_and(|every| (round + peer) % every as usize == 0);
    let ns = question["ns"].as_str().unwrap_or_default();
    let namespaces = question["namespaces"].as_u64().unwrap_or(1) as usize;
    if registers {
        return json!({ "op": "register", "ns": format!("{ns}-{}", peer % namespaces), "domain": question["domain"] });
    }
    json!({ "op": "discover", "ns": format!("{ns}-{}", (index / 3) % namespaces), "limit": 20, "domain": question["domain"] })
}

/// Open model: each request is sent when it is due, whatever became of those before it, and counts from then on.
async fn open(peers: Vec<Peer>, requests: Vec<Value>, rate: f64) -> Result<Vec<Timed>, Failure> {
    let start = Instant::now();
    let mut replies = Vec::with_capacity(requests.len());
    for (index, request) in requests.into_iter().enumerate() {
        let due = start + Duration::from_secs_f64(index as f64 / rate);
        until(due).await;
        let peer = peers[index % peers.len()].clone();
        replies.push(tokio::spawn(async move { timed(&peer, request, due).await }));
    }
    join_all(replies).await.into_iter().map(|reply| reply?).collect()
}

async fn until(due: Instant) {
    let left = due.saturating_duration_since(Instant::now());
    if left > TIMER_SLACK {
        tokio::time::sleep(left - TIMER_SLACK).await;
    }
    while Instant::now() < due {
        yield_now().await;
    }
}

/// Closed model: each peer sends its next request when it has its reply, and counts from the sending.
async fn closed(peers: Vec<Peer>, requests: Vec<Value>) -> Result<Vec<Timed>, Failure> {
    let (step, requests) = (peers.len(), &requests);
    let shares = peers.iter().enumerate().map(|(first, peer)| async move {
        let mut replies = Vec::new();
        for request in requests.iter().skip(first).step_by(step) {
            replies.push(timed(peer, request.clone(), Instant::now()).await?);
        }
        Ok::<_, Failure>(replies)
    });
    Ok(try_join_all(shares).await?.concat())
}

async fn timed(peer: &Peer, request: Value, since: Instant) -> Result<Timed, Failure> {
    let op = request["op"].as_str().unwrap_or_default().to_owned();
    let (answer, answered) = oneshot::channel();
    peer.send((request, answer)).await?;
    match answered.await?.get("error") {
        Some(error) => Err(error.to_string().into()),
        None => Ok((op, since.elapsed().as_micros() as u64)),
    }
}
