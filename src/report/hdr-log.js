import { appendFile, writeFile } from 'node:fs/promises'
import { encodedHistogram } from '../measure/encoded-histogram.js'
import { Histogram } from '../measure/histogram.js'

/**
 * @typedef {import('../result/types.js').Record_} Record_
 * @typedef {import('../result/types.js').MeasuredRecord} MeasuredRecord
 */

/** Workers hand over a second at nearly the same time: after so many more it is whole. */
const WHOLE_AFTER = 3

/** What a log begins with, see https://github.com/HdrHistogram/HdrHistogram, HistogramLogWriter. @param {number} beganEpochMs */
const head = beganEpochMs => `#[Histogram log format version 1.3]
#[response times of operations in µs, from when they were due; those without a reply at the time they were waited for]
#[StartTime: ${(beganEpochMs / 1000).toFixed(3)} (seconds since epoch), ${new Date(beganEpochMs).toISOString()}]
"StartTimestamp","Interval_Length","Interval_Max","Interval_Compressed_Histogram"
`

/**
 * hdrLog writes the response times of a run as a log of HDR histograms: a line for each second and type of operation, V2 compressed,
 * with the type as its tag. Timestamps count from when the measurement began; the largest value stands in ms.
 *
 * @param {string} path - of a file that is written anew
 * @returns {{ add(record: Record_): Promise<void>, close(): void }}
 */
export function hdrLog(path) {
  /** @type {Map<number, Map<string, Histogram>>} by second and type: those that may not be whole yet */
  const open = new Map()
  let begun = false
  /** @param {number} before - seconds */
  const write = async before => {
    const whole = [...open.keys()].filter(second => second < before).sort((a, b) => a - b)
    const lines = whole.flatMap(second => linesOf(second, open.get(second) ?? new Map()))
    for (const second of whole) open.delete(second)
    if (lines.length > 0) await appendFile(path, lines.join(''))
  }
  return {
    async add(record) {
      if (record.type === 'measured') {
        if (!begun) await writeFile(path, head(record.beganEpochMs))
        begun = true
        collect(open, record)
        await write(record.second - WHOLE_AFTER)
      } else if (record.type === 'result') await write(Number.POSITIVE_INFINITY)
    },
    close() {}
  }
}

/** @param {Map<number, Map<string, Histogram>>} open @param {MeasuredRecord} record */
function collect(open, { second, cells }) {
  for (const { metric, type, data } of cells) {
    if (metric !== 'rt') continue
    const types = open.get(second) ?? new Map()
    open.set(second, types)
    const histogram = types.get(type) ?? new Histogram()
    types.set(type, histogram)
    histogram.merge(data)
  }
}

/** @param {number} second @param {Map<string, Histogram>} types */
const linesOf = (second, types) =>
  [...types].map(
    ([type, histogram]) =>
      `Tag=${type},${second.toFixed(3)},1.000,${(histogram.max / 1000).toFixed(3)},${encodedHistogram(histogram)}\n`
  )
