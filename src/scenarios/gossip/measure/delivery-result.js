/**
 * What became of the messages of a gossip run. Times are ms unless a name says otherwise; seconds count from the start of the
 * publish phase. Histograms are HDR V2, compressed, base64, µs, 3 digits.
 *
 * @typedef {import('../../../result/types.js').Summary} Summary
 *
 * @typedef {object} DeliveryResult
 * @property {MessageCounts} messages
 * @property {DeliveryRatios} delivery
 * @property {{ all: Summary, delivered: Summary, histogram: string, censoredHistogram: string | null }} latency - publish call to
 *   receipt. `all`: deliveries that never came count as longer than until the end of the run; `histogram`: those that came;
 *   `censoredHistogram`: how long those that did not were waited for, null: none
 * @property {{ all: Summary, complete: Summary, histogram: string, censoredHistogram: string | null }} dissemination - publish
 *   call to the last delivery of a message. `all`: messages that did not reach everyone count as longer than until the end of
 *   the run; `histogram`: those that did; messages that nobody was to receive have none
 * @property {Hops} hops
 * @property {{ summary: Summary, histogram: string, censoredHistogram: string | null, early: number }} lateness - due time to publish
 *   call; the `early` ones, published before they were due, count as 0, and in `summary` those that were due and had not gone out when
 *   publishing ended as later than that. `histogram`: those that were published; `censoredHistogram`: the others, null: none
 * @property {{ actual: Intervals, planned: Omit<Intervals, 'histogram'> }} interArrival - between one publication of the network
 *   and the next: actual of what was published, planned of all that was due
 * @property {{ second: number, planned: number, published: number, delivered: number }[]} timeline - ascending; by due time, by
 *   publish call and by receipt. Seconds without any of these are left out. Of a run of more than an hour with something in each second an
 *   entry covers `secondsPerPoint`, from `second` on
 * @property {{ second: number, histogram: [number, number][] }[]} perSecond - latencies of deliveries by the second of the
 *   publish call: value in µs, 2 digits, and count
 * @property {number} secondsPerPoint - that an entry of these two covers
 * @property {({ topic: number, published: number, expected: number, delivered: number } & Partial<GroupTimes>)[]} topics - with times where a
 *   network file has several
 * @property {NodeDeliveries[]} nodes
 * @property {{ classes: Grouped<{ class: string }>[], zones: Grouped<{ zone: string }>[], pairs: Pair[] }} [groups] - absent: nodes have no
 *   classes and are in no zones
 * @property {Missing} missing
 * @property {Anomalies} anomalies
 *
 * @typedef {object} MessageCounts
 * @property {number | null} planned - in the schedule; null: not told
 * @property {number} published - also those that no peer could be sent
 * @property {number} skipped - because --maxBacklog was reached
 * @property {number} failed - publish threw
 * @property {number} bytes - of the payloads published
 *
 * @typedef {object} DeliveryRatios - both forms of the message delivery ratio. Skipped and failed messages are expected nowhere
 * @property {number} expected - deliveries: over the messages published, subscribers of the topic other than the publisher
 * @property {number} delivered
 * @property {number | null} ratio - delivered / expected; null: nothing was expected
 * @property {number} expectedMessages - published messages that somebody was to receive
 * @property {number} completeMessages - of these, those that reached everyone
 * @property {number | null} completeRatio - null: nothing was expected
 *
 * @typedef {object} Hops - along first receipts: the publisher has 0, everyone else one more than the peer the first copy came from
 * @property {number[]} deliveries - count of deliveries by hops
 * @property {number[]} last - count of messages by the hops of the copy delivered last in time (of copies within one µs the one
 *   with more hops); every message with a delivery counts, whether or not it reached everyone
 * @property {number} unknown - deliveries whose way back to the publisher is not known: a peer on it was not to receive the
 *   message, or its receipt is missing
 * @property {number} lastUnknown - messages whose last delivery is one of these
 *
 * @typedef {object} Intervals
 * @property {Summary} summary
 * @property {string} histogram
 * @property {number} outOfOrder - publications that were told too late to be put in order; they are in no interval
 *
 * @typedef {Pick<DeliveryResult, 'latency' | 'dissemination'>} GroupTimes - of deliveries to it, and of messages published by it
 *
 * @typedef {object} Pair - from a zone to a zone
 * @property {string} from - of the publisher
 * @property {string} to
 * @property {number} expected
 * @property {number} delivered
 * @property {Pick<DeliveryResult['latency'], 'all'> & Partial<DeliveryResult['latency']>} latency - to two digits; without a histogram where there are
 *   more than 400 pairs
 *
 * @typedef {object} NodeDeliveries
 * @property {number} node
 * @property {string} [class] - absent: it has none
 * @property {string} [zone]
 * @property {number} published
 * @property {number} expected
 * @property {number} delivered
 * @property {number | null} averageMs - latency of what was delivered; null: nothing was
 *
 * @typedef {import('./missing-reason.js').MissingReason} MissingReason
 *
 * @typedef {object} Missing
 * @property {number} pairs - (message, node) expected and not delivered
 * @property {Record<MissingReason, number>} byReason - of all pairs
 * @property {{ message: number, node: number, topic: number, reason: MissingReason }[]} listed - the first 1,000 by message and node
 * @property {boolean} listedAll
 *
 * @typedef {object} Anomalies - what cannot be when hosts and clock work; all 0 in a sound run
 * @property {number} duplicateReceipts - receipts beyond one per expected receiver of a published message; the first told counts
 * @property {number} duplicatePublications - second rows of one message; the first told counts
 * @property {number} unknownMessages - received somewhere, and no publication was told
 * @property {number} negativeLatencies - deliveries before the publish call (and waits that ended before it): they count as
 *   delivered, and are in no distribution of times
 * @property {number} timesBeyondRange - receipts more than 35 minutes from the first thing told of their message; they count at
 *   35 minutes
 *
 * @typedef {object} DeliveryFigures - the figures so far, in the shape of the result. What is still under way is expected and not
 *   delivered, and is in no distribution: `all` has the same times as `delivered` and `complete`
 * @property {MessageCounts} messages
 * @property {DeliveryRatios} delivery
 * @property {{ all: Summary, delivered: Summary }} latency
 * @property {{ all: Summary, complete: Summary }} dissemination
 * @property {number} openMessages - that have not reached everyone yet
 */

/**
 * @template Name
 * @typedef {Name & GroupTimes & { nodes: number, published: number, expected: number, delivered: number, bytesSent?: number,
 *   bytesReceived?: number }} Grouped - bytes of RPCs, since publishing began
 */

export {}
