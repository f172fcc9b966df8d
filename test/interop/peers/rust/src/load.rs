//! Requests of several peers, for a load test to be held against: how long each takes from its sending to its reply.
use std::time::{Duration, Instant};

use futures::future::join_all;
use serde_json::{Value, json};
use tokio::sync::{mpsc, oneshot};

use crate::{Failure, Question};

/// run has each peer send its share of `count` requests, one after the other: at a rate evenly spread over time, or as fast as they are answered.
pub async fn run(peers: Vec<mpsc::Sender<Question>>, question: &Value) -> Result<Value, Failure> {
    let count = question["count"].as_u64().ok_or("a count is needed")?;
    let between = question["rate"].as_f64().map(|rate| Duration::from_secs_f64(1.0 / rate));
    let request = &json!({
        "op": question["request"].as_str().unwrap_or("discover"),
        "ns": question["ns"],
        "limit": 20,
    });
    let (start, step) = (Instant::now(), peers.len());
    let shares = peers.iter().enumerate().map(|(first, peer)| async move {
        let mut micros = Vec::new();
        for index in (first as u64..count).step_by(step) {
            if let Some(between) = between {
                tokio::time::sleep_until((start + between * index as u32).into()).await;
            }
            micros.push(timed(peer, request.clone()).await?);
        }
        Ok::<_, Failure>(micros)
    });
    let all: Result<Vec<_>, _> = join_all(shares).await.into_iter().collect();
    Ok(json!({ "micros": all?.concat() }))
}

async fn timed(peer: &mpsc::Sender<Question>, request: Value) -> Result<u64, Failure> {
    let (answer, answered) = oneshot::channel();
    let sent = Instant::now();
    peer.send((request, answer)).await?;
    match answered.await?.get("error") {
        Some(error) => Err(error.to_string().into()),
        None => Ok(sent.elapsed().as_micros() as u64),
    }
}
