import { encodeHistogram } from '../../src/measure/distribution.js'
import { Histogram, summarize } from '../../src/measure/histogram.js'
import { aGossipResult } from '../scenarios/gossip/a-gossip-result.js'

/**
 * @typedef {import('../../src/scenarios/gossip/options.js').GossipPlan} GossipPlan
 * @typedef {import('../../src/scenarios/gossip/outcome.js').GossipResult} GossipResult
 *
 * @typedef {object} ModelledNetwork
 * @property {number} capacity - deliveries per second
 * @property {number} [utilization] - of the processes beyond it
 * @property {number} [slowMs] - dissemination beyond it
 */

const base = aGossipResult({ options: { messages: '10', nodes: '8' } })

/** @param {number} count @param {number} ms */
function times(count, ms) {
  const histogram = new Histogram()
  for (let i = 0; i < count; i++) histogram.record(ms * 1000)
  return { summary: summarize(histogram), histogram: encodeHistogram(histogram) }
}

/** @param {GossipPlan} plan @param {ModelledNetwork} network */
function outcomeOf(plan, { capacity, slowMs = 2500 }) {
  const seconds = Number(plan.durationMs) / 1000
  const rate = Number(plan.ratePerSecond)
  const receivers = plan.nodes - 1
  const over = rate * receivers > capacity
  const ms = over ? slowMs : 50
  const planned = Math.round(rate * seconds)
  const expected = planned * receivers
  const messages = times(planned, ms)
  const deliveries = times(expected, ms / 2)
  const each = Array.from({ length: seconds }, (_, second) => second)
  const perSecond = Math.min(rate * receivers, capacity)
  return {
    messages: { planned, published: planned, skipped: 0, failed: 0, bytes: planned * 1000 },
    delivery: {
      expected,
      delivered: expected,
      ratio: 1,
      expectedMessages: planned,
      completeMessages: planned,
      completeRatio: 1
    },
    dissemination: {
      all: messages.summary,
      complete: messages.summary,
      histogram: messages.histogram,
      censoredHistogram: null
    },
    latency: {
      all: deliveries.summary,
      delivered: deliveries.summary,
      histogram: deliveries.histogram,
      censoredHistogram: null
    },
    lateness: { ...base.outcome.lateness, histogram: times(planned, 1).histogram, censoredHistogram: null },
    timeline: each.map(second => ({ second, planned: rate, published: rate, delivered: perSecond })),
    perSecond: each.map(second => ({
      second,
      histogram: /** @type {[number, number][]} */ ([[ms * 500, Math.round(perSecond)]])
    })),
    measuredMs: seconds * 1000,
    counters: {
      ...base.outcome.counters,
      // lines of 100 kB/s are full at the capacity
      bytesSent: (plan.nodes * 100_000 * seconds * Math.min(rate * receivers, capacity)) / capacity
    },
    resources: []
  }
}

/**
 * modelledNetwork is what a network that carries up to a rate of deliveries makes of a plan: up to it 50 ms until everyone has a
 * message, beyond it long.
 *
 * @param {GossipPlan} plan
 * @param {string} id
 * @param {ModelledNetwork} network
 * @returns {GossipResult}
 */
export function modelledNetwork(plan, id, network) {
  const over = Number(plan.ratePerSecond) * (plan.nodes - 1) > network.capacity
  const utilization = over ? (network.utilization ?? 0.5) : 0.3
  const health = base.run.health.map(worker => ({ ...worker, utilization, cpuPercent: 100 * utilization }))
  return {
    ...base,
    id,
    plan: { ...plan },
    outcome: { ...base.outcome, network: { kind: plan.network, settings: {} }, ...outcomeOf(plan, network) },
    run: { ...base.run, health }
  }
}
