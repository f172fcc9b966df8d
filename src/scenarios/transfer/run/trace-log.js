// Makes OpenTelemetry spans of a transfer run, and writes them to a file or sends them to a collector.
import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ROOT_CONTEXT, SpanStatusCode, trace } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { JsonTraceSerializer } from '@opentelemetry/otlp-transformer'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { TracerProvider } from '@opentelemetry/sdk-trace'

/**
 * @typedef {import('./transfer-run.js').SpanRecord} SpanRecord
 * @typedef {import('@opentelemetry/sdk-trace').ReadableSpan} ReadableSpan
 * @typedef {import('@opentelemetry/api').HrTime} HrTime
 */

const NS_PER_S = 1_000_000_000n
/** Limit of the events of a span, in place of the 128 of the SDK. */
const MAX_EVENTS = 10_000

/**
 * SpanFactory makes spans of OpenTelemetry. Each belongs to a resource that stands for its process, so that viewers show the processes.
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

  /** spansOf makes a span with its children. @param {SpanRecord} record @returns {ReadableSpan[]} */
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
      spanLimits: { eventCountLimit: MAX_EVENTS },
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

/**
 * @typedef {object} SpanSink - where spans go
 * @property {(spans: ReadableSpan[]) => Promise<void>} write - throws when they could not be written
 * @property {() => Promise<void>} close
 */

/** An exporter retries for this time. */
const SEND_TIMEOUT_MS = 5000

/**
 * makeFileSink appends spans to a file. Each line is a request of OTLP in JSON, as of the file exporter in the specification.
 *
 * @param {string} path
 * @returns {SpanSink}
 */
const makeFileSink = path => ({
  async write(spans) {
    const request = /** @type {Uint8Array} */ (JsonTraceSerializer.serializeRequest(spans))
    await appendFile(path, `${new TextDecoder().decode(request)}\n`)
  },
  async close() {}
})

/** @param {string} url @returns {SpanSink} */
function makeEndpointSink(url) {
  const exporter = new OTLPTraceExporter({ url, timeoutMillis: SEND_TIMEOUT_MS })
  return {
    write: spans =>
      new Promise((resolve, reject) =>
        exporter.export(spans, ({ code, error }) =>
          code === 0 ? resolve() : reject(new Error(`${url}: ${error?.message || 'not reached'}`))
        )
      ),
    close: () => exporter.shutdown()
  }
}

/** TraceLog writes spans of a run. */
export class TraceLog {
  #factory
  #sinks
  /** @type {{ count: number, error: string } | null} spans that could not be written, with the first error */
  lost = null

  /**
   * @param {{ runId: string, folder: string | null, otlpEndpoint: string | null }} to - `folder`: of the run, for a file; null: none
   */
  constructor({ runId, folder, otlpEndpoint }) {
    const unixNs = BigInt(Date.now()) * 1_000_000n - process.hrtime.bigint()
    this.#factory = new SpanFactory({ runId, unixNs })
    this.#sinks = [
      ...(folder === null ? [] : [makeFileSink(join(folder, 'traces.jsonl'))]),
      ...(otlpEndpoint === null ? [] : [makeEndpointSink(otlpEndpoint)])
    ].map(sink => ({ ...sink, failed: false }))
  }

  /** add writes a span with its children. After a failure, nothing more is written to that sink. @param {import('./transfer-run.js').SpanRecord} record */
  async add(record) {
    const spans = this.#factory.spansOf(record)
    await Promise.all(
      this.#sinks.map(async sink => {
        try {
          if (!sink.failed) return await sink.write(spans)
        } catch (error) {
          sink.failed = true
          this.lost ??= { count: 0, error: /** @type {Error} */ (error).message }
        }
        if (this.lost !== null) this.lost.count += spans.length
      })
    )
  }

  async close() {
    await Promise.all(this.#sinks.map(sink => sink.close()))
  }
}
