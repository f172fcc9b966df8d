import { exactQuantile } from '../../../measure/samples.js'

/**
 * @typedef {import('./rows.js').Publication} Publication
 * @typedef {import('./rows.js').Receipt} Receipt
 */

/**
 * reference works out by brute force, from all rows at once and by the definitions, what DeliveryTracker must find. It takes no
 * second rows of anything.
 *
 * @param {object} run
 * @param {readonly (readonly number[])[]} run.subscriptions
 * @param {Publication[]} run.published
 * @param {Receipt[]} run.received
 * @param {number} run.endMs
 */
export function reference({ subscriptions, published, received, endMs }) {
  const messages = published
    .filter(({ recipients = 1 }) => recipients >= 0)
    .map(publication => {
      const expected = subscriptions.flatMap((topics, node) =>
        topics.includes(publication.topic ?? 0) && node !== publication.node ? [node] : []
      )
      const receipts = received.filter(
        ({ message, node }) => message === publication.message && expected.includes(node)
      )
      return { publication, expected, receipts, complete: receipts.length === expected.length }
    })
  const deliveries = messages.flatMap(({ publication, receipts }) =>
    receipts.map(receipt => ({ receipt, publication, ms: receipt.atMs - publication.atMs }))
  )
  const aimed = messages.filter(({ expected }) => expected.length > 0)
  const expected = sum(messages.map(message => message.expected.length))
  const complete = aimed.filter(message => message.complete)
  const waited = messages.flatMap(({ publication, expected, receipts }) =>
    Array(expected.length - receipts.length).fill(endMs - publication.atMs)
  )
  const latencies = deliveries.map(({ ms }) => ms).filter(ms => ms >= 0)
  const disseminated = complete
    .map(({ publication, receipts }) => Math.max(...receipts.map(({ atMs }) => atMs)) - publication.atMs)
    .filter(ms => ms >= 0)
  const short = aimed.filter(message => !message.complete).map(({ publication }) => endMs - publication.atMs)
  const hops = messages.map(message => hopsOf(message)).filter(({ all }) => all.length > 0)
  return {
    delivery: {
      ...{ expected, delivered: deliveries.length },
      ...{ ratio: expected > 0 ? deliveries.length / expected : null, expectedMessages: aimed.length },
      completeMessages: complete.length,
      completeRatio: aimed.length > 0 ? complete.length / aimed.length : null
    },
    latency: { all: figures([...latencies, ...waited]), delivered: figures(latencies) },
    dissemination: { all: figures([...disseminated, ...short]), complete: figures(disseminated) },
    hops: {
      deliveries: histogram(hops.flatMap(({ all }) => all)),
      last: histogram(hops.map(({ last }) => last)),
      unknown: hops.flatMap(({ all }) => all).filter(count => count === null).length,
      lastUnknown: hops.filter(({ last }) => last === null).length
    },
    nodes: subscriptions.map((_, node) => ({
      node,
      published: messages.filter(({ publication }) => publication.node === node).length,
      expected: messages.filter(message => message.expected.includes(node)).length,
      delivered: deliveries.filter(({ receipt }) => receipt.node === node).length
    })),
    pairs: messages.flatMap(({ publication, expected, receipts }) =>
      expected
        .filter(node => !receipts.some(receipt => receipt.node === node))
        .map(node => `${publication.message} ${node}`)
    ),
    unknownMessages: new Set(
      received
        .map(({ message }) => message)
        .filter(number => !published.some(({ message }) => message === number))
    ).size,
    negativeLatencies: deliveries.length - latencies.length
  }
}

/**
 * @param {{ publication: Publication, receipts: Receipt[] }} message
 * @returns {{ all: (number | null)[], last: number | null }}
 */
function hopsOf({ publication, receipts }) {
  /** @param {number} node @param {number} steps @returns {number | null} */
  const hopsTo = (node, steps) => {
    if (node === publication.node) return steps
    const receipt = receipts.find(found => found.node === node)
    return receipt === undefined || steps > receipts.length ? null : hopsTo(receipt.from, steps + 1)
  }
  const all = receipts.map(({ node }) => hopsTo(node, 0))
  const lastMs = Math.max(...receipts.map(({ atMs }) => atMs))
  const last = all.filter((_, i) => receipts[i].atMs === lastMs).sort((a, b) => (b ?? -1) - (a ?? -1))
  return { all, last: last[0] }
}

/** @param {number[]} values */
const sum = values => values.reduce((total, value) => total + value, 0)

/** @param {(number | null)[]} values */
function histogram(values) {
  const known = values.filter(value => value !== null)
  return Array.from(
    { length: Math.max(-1, ...known) + 1 },
    (_, i) => known.filter(value => value === i).length
  )
}

/** @param {number[]} values */
const figures = values => ({
  count: values.length,
  avg: values.length > 0 ? sum(values) / values.length : null,
  p50: values.length >= 20 ? exactQuantile(values, 0.5) : null,
  max: values.length > 0 ? Math.max(...values) : null
})
