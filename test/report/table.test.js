import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { figure, throughput } from '../../src/report/table.js'
import { operation, SERVER, sampleResult, summary, time } from './sample-result.js'
import { resultTable } from './shown.js'

/** @param {string[]} lines */
const text = (...lines) => lines.join('\n')

test('the table of a run has times, throughput, CPU and memory in one row', () => {
  assert.equal(
    resultTable(sampleResult()),
    text(
      '| Operation |    Mode | Clients | Registrations | Ops | Errors | Op/s |  Avg |  p50 |  p90 |  p95 |  p99 | p99.9 |  Max | CPU avg/med/max % | Mem avg/med/max MB |',
      '| :-------- | ------: | ------: | ------------: | --: | -----: | ---: | ---: | ---: | ---: | ---: | ---: | ----: | ---: | ----------------: | -----------------: |',
      '| REGISTER  | refresh |       4 |           100 | 500 |      0 |  250 | 16.0 | 15.0 | 20.5 | 22.2 | 26.0 |     – | 26.0 |      31 / 42 / 61 |    98 / 98 / 1,106 |'
    )
  )
})

test('of too few operations no throughput is given', () => {
  const few = { count: 19, throughputPerSecond: 69.8 }
  assert.equal(throughput(operation(few)), '–')
  assert.equal(throughput(operation({ ...few, count: 20 })), '69.8')
})

test('each type has a row, with marks for censored, doubtful and missing figures and for a bound', () => {
  const doubtful = { doubtful: true }
  const all = summary(12_345, {
    avg: time(1234.5, { censored: true }),
    p50: time(0.123, doubtful),
    p99: time(10_000, { censored: true, doubtful: true }),
    p999: time(10_000, { censored: true }),
    max: null
  })
  const result = sampleResult({
    options: { benchmarkType: 'MIXED', nClients: 1000, initialRegistrations: 200_000 },
    outcome: {
      operations: {
        UNREGISTER: operation(),
        DISCOVER: operation({
          count: 12_345,
          errors: 1001,
          all,
          throughputPerSecond: 4321.4,
          throughputIsLowerBound: true
        })
      },
      server: {
        ...SERVER,
        cpu: { averagePercent: 0.4, medianPercent: null, maxPercent: null, samples: 3 }
      }
    }
  })
  assert.equal(
    resultTable(result),
    text(
      '| Operation              | Clients | Registrations |    Ops | Errors |    Op/s |     Avg |    p50 |  p90 |  p95 |       p99 |    p99.9 |  Max | CPU avg/med/max % | Mem avg/med/max MB |',
      '| :--------------------- | ------: | ------------: | -----: | -----: | ------: | ------: | -----: | ---: | ---: | --------: | -------: | ---: | ----------------: | -----------------: |',
      '| DISCOVER               |   1,000 |       200,000 | 12,345 |  1,001 | ≥ 4,321 | > 1,235 | 0.123* | 20.5 | 22.2 | > 10,000* | > 10,000 |    – |         0 / – / – |    98 / 98 / 1,106 |',
      '| UNREGISTER (confirmed) |   1,000 |       200,000 |    500 |      0 |     250 |    16.0 |   15.0 | 20.5 | 22.2 |      26.0 |        – | 26.0 |         0 / – / – |    98 / 98 / 1,106 |'
    )
  )
})

test('in a mix each type is due at its part of the rate, and reaches that', () => {
  const result = sampleResult({
    options: { benchmarkType: 'MIXED', mix: 'register=1,discover=4,unregister=0', rate: '50/s' },
    outcome: {
      operations: {
        REGISTER: operation({ throughputPerSecond: 10 }),
        DISCOVER: operation({ throughputPerSecond: 40 })
      }
    }
  })
  assert.match(resultTable(result), /REGISTER .*\| +10\.0 \| 10\.0 \|.*\n.*DISCOVER .*\| +40\.0 \| 40\.0 \|/)
})

test('a server that could not be sampled has dashes', () => {
  assert.match(resultTable(sampleResult({ outcome: { server: null } })), /26\.0 \| +– \| +– \|$/)
})

test('a run that measured nothing has no table', () => {
  assert.equal(resultTable(sampleResult({ outcome: { operations: {} } })), '')
})

describe('times have three significant digits and at most three decimals', () => {
  /** @type {[number, string][]} */
  const cases = [
    [0, '0'],
    [0.0004, '0.000'],
    [0.0123, '0.012'],
    [0.9999, '1.00'],
    [1.005, '1.00'],
    [9.996, '10.0'],
    [99.96, '100'],
    [999.4, '999'],
    [999.6, '1,000'],
    [1234.5, '1,235'],
    [830_998, '830,998'],
    [1_234_567.8, '1,234,568']
  ]
  for (const [ms, shown] of cases) test(`${ms} ms is ${shown}`, () => assert.equal(figure(time(ms)), shown))
})
