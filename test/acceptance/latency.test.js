import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { newFolder, run, TIMEOUT } from './loadtest.js'
import { ofPhase, samplesIn } from './samples.js'

test(
  'one run answers two questions: capacity, and latency at a rate, each figure knows of which it is',
  TIMEOUT,
  async () => {
    const outputFile = join(await newFolder(), 'table.md')
    const ended = await run([
      ...['--benchmarkType', 'DISCOVER', '--nClients', '2', '--duration', '400ms', '--warmup', '50ms'],
      // 2,100 operations are needed, whatever is found by them
      ...['--discoverInexistentNamespaces', '--initialRegistrations', '0'],
      ...['--latencyRate', '420/s', '--probeRate', '0', '--csv', '--outputFile', outputFile, '--samples'],
      ...['--threshold', 'latency.DISCOVER.p99 < 5min', '--threshold', 'latency.errorRate < 1%']
    ])
    const { code, stdout, stderr, result, folder } = ended
    assert.equal(code, 0, stderr)
    const { latency, operations, measuredMs } = result.outcome
    assert.ok(latency !== null && operations.DISCOVER !== undefined)
    const { DISCOVER } = latency.operations
    assert.deepEqual([latency.ratePerSecond, DISCOVER?.count, DISCOVER?.errors], [420, 2100, 0])
    assert.ok(DISCOVER?.rt.all.p99 !== null && DISCOVER?.lag !== undefined && latency.health.length > 0)
    assert.ok(latency.measuredMs >= 4990, 'its length follows from the rate: the last is due after 5 s')
    assert.equal(operations.DISCOVER.lag, undefined, 'capacity is of the closed model')
    assert.ok(measuredMs < 5000)
    assert.deepEqual([result.plan.benchmarkRuns, result.plan.durationMs], [null, 400])
    // two tables, each under its question
    assert.match(
      stdout,
      /^Capacity: [≥ \d,.]+ DISCOVER\/s, [\d,.]+ µs of server CPU each\. .* clients ÷ throughput\.\n\n\| Operation /m
    )
    assert.match(
      stdout,
      /^Latency: operations are due at 420\/s, and times count from then\.\n\n\| Operation .*\| Due\/s \|/m
    )
    assert.match(stderr, /✔ latency measured .* 2,100 operations in 1 round, due at 420\/s/)
    assert.match(stdout, /✔ latency\.DISCOVER\.p99 < 5min/)
    const [header, , capacityRow, latencyRow] = (await readFile(outputFile, 'utf8')).split('\n')
    const model = header.split('|').indexOf(' Model ')
    assert.deepEqual(
      [capacityRow, latencyRow].map(row => row.split('|')[model].trim()),
      ['closed', 'open 420/s']
    )
    const csv = await readFile(join(folder, 'latency-operations.csv'), 'utf8')
    assert.match(csv, /^DISCOVER,2100,0,/m)
    const samples = await samplesIn(folder)
    assert.equal(ofPhase(samples, 'latency').length, 2100)
    assert.equal(ofPhase(samples, 'measure').length, operations.DISCOVER.count)
  }
)
