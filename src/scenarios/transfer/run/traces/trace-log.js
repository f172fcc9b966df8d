import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { JsonTraceSerializer } from '@opentelemetry/otlp-transformer'
import { SpanFactory } from './span-factory.js'

/**
 * @typedef {import('@opentelemetry/sdk-trace').ReadableSpan} ReadableSpan
 *
 * @typedef {object} Sink - where spans go
 * @property {(spans: ReadableSpan[]) => Promise<void>} write - throws when they could not be written
 * @property {() => Promise<void>} close
 */

/** Nobody answers: an exporter tries again until then. */
const SEND_WITHIN_MS = 5000

/**
 * fileOf appends spans to a file, a request of OTLP in JSON a line (the file exporter of the specification).
 *
 * @param {string} path
 * @returns {Sink}
 */
const fileOf = path => ({
  async write(spans) {
    const request = /** @type {Uint8Array} */ (JsonTraceSerializer.serializeRequest(spans))
    await appendFile(path, `${new TextDecoder().decode(request)}\n`)
  },
  async close() {}
})

/** @param {string} url @returns {Sink} */
function endpointOf(url) {
  const exporter = new OTLPTraceExporter({ url, timeoutMillis: SEND_WITHIN_MS })
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

/** TraceLog writes what happened in a run as spans of OpenTelemetry. */
export class TraceLog {
  #factory
  #sinks
  /** @type {{ count: number, error: string } | null} spans that did not arrive somewhere, and why the first did not */
  lost = null

  /**
   * @param {{ runId: string, folder: string | null, otlpEndpoint: string | null }} to - `folder`: of the run, for a file; null: none
   */
  constructor({ runId, folder, otlpEndpoint }) {
    const unixNs = BigInt(Date.now()) * 1_000_000n - process.hrtime.bigint()
    this.#factory = new SpanFactory({ runId, unixNs })
    this.#sinks = [
      ...(folder === null ? [] : [fileOf(join(folder, 'traces.jsonl'))]),
      ...(otlpEndpoint === null ? [] : [endpointOf(otlpEndpoint)])
    ].map(sink => ({ ...sink, failed: false }))
  }

  /** add writes a span with those in it. Where one could not be written, no more are tried. @param {import('./transfer-spans.js').SpanRecord} record */
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
