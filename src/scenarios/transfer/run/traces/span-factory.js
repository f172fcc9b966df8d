import { ROOT_CONTEXT, SpanStatusCode, trace } from '@opentelemetry/api'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { TracerProvider } from '@opentelemetry/sdk-trace'

/**
 * @typedef {import('./transfer-spans.js').SpanRecord} SpanRecord
 * @typedef {import('@opentelemetry/sdk-trace').ReadableSpan} ReadableSpan
 * @typedef {import('@opentelemetry/api').HrTime} HrTime
 */

const NS_PER_S = 1_000_000_000n
/** The SDK keeps 128 events of a span; a file of more blocks than these is cut. */
const MOST_EVENTS = 10_000

/**
 * SpanFactory makes spans of OpenTelemetry, each under a resource of the process whose it is: that is how viewers tell them apart.
 */
export class SpanFactory {
  /** @type {ReadableSpan[]} */
  #ended = []
  /** @type {Map<string, import('@opentelemetry/api').Tracer>} */
  #tracers = new Map()
  #runId
  #unixNs

  /** @param {{ runId: string, unixNs: bigint }} of - `unixNs`: the time of day at 0 of the host's clock */
  constructor({ runId, unixNs }) {
    this.#runId = runId
    this.#unixNs = unixNs
  }

  /** spansOf makes a span and those in it. @param {SpanRecord} record @returns {ReadableSpan[]} */
  spansOf(record) {
    this.#make(record, ROOT_CONTEXT)
    return this.#ended.splice(0)
  }

  /** @param {SpanRecord} record @param {import('@opentelemetry/api').Context} parent */
  #make({ process, name, startNs, endNs, attributes, events, error, children }, parent) {
    const span = this.#tracer(process).startSpan(name, { startTime: this.#time(startNs), attributes }, parent)
    for (const { name, atNs, attributes } of events) span.addEvent(name, attributes, this.#time(atNs))
    for (const child of children) this.#make(child, trace.setSpan(parent, span))
    if (error !== null) span.setStatus({ code: SpanStatusCode.ERROR, message: error })
    span.end(this.#time(endNs))
  }

  /** @param {string} process */
  #tracer(process) {
    const known = this.#tracers.get(process)
    if (known !== undefined) return known
    const tracer = new TracerProvider({
      resource: resourceFromAttributes({
        'service.namespace': 'libp2p-loadtest',
        'service.name': process,
        'service.instance.id': this.#runId
      }),
      spanLimits: { eventCountLimit: MOST_EVENTS },
      spanProcessors: [
        {
          onStart() {},
          onEnd: span => void this.#ended.push(span),
          forceFlush: async () => {},
          shutdown: async () => {}
        }
      ]
    }).getTracer('libp2p-loadtest')
    this.#tracers.set(process, tracer)
    return tracer
  }

  /** @param {bigint} ns - of the host's clock @returns {HrTime} */
  #time(ns) {
    const unixNs = this.#unixNs + ns
    return [Number(unixNs / NS_PER_S), Number(unixNs % NS_PER_S)]
  }
}
