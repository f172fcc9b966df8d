import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { assertComplete, assertSumsAgree, operation } from './consistent.js'
import { newFolder, QUICK, run, TIMEOUT } from './loadtest.js'

const SMALL = [...QUICK, '--nClients', '2', '--initialRegistrations', '10', '--benchmarkRuns', '40']

/** @param {import('../../src/report/schema.js').Result} result */
const verdicts = ({ outcome }) => outcome.thresholds.map(({ text, passed }) => [text, passed])

describe('thresholds', () => {
  test('that are met: exit code 0, said in every view', TIMEOUT, async () => {
    const ended = await run([
      ...SMALL,
      ...[
        '--threshold',
        'register.p50 < 1min',
        '--threshold',
        'errorRate <= 0%',
        '--threshold',
        'count >= 40'
      ]
    ])
    assertComplete(ended)
    assert.deepEqual(verdicts(ended.result), [
      ['REGISTER.p50 < 1min', true],
      ['errorRate <= 0%', true],
      ['count >= 40', true]
    ])
    const { p50 } = operation(ended.result, 'REGISTER').rt.all
    assert.equal(ended.result.outcome.thresholds[0].actual, p50?.ms)
    const report = await readFile(join(ended.folder, 'report.md'), 'utf8')
    for (const view of [ended.stdout, report])
      assert.match(view, /^\| ✔ errorRate \\?<= 0% +\| 0 % +\| passed \|$/m)
  })

  test('that are not: exit code 3, and the result is whole', TIMEOUT, async () => {
    const config = join(await newFolder(), 'load.yaml')
    await writeFile(
      config,
      [
        'threshold:',
        '  - REGISTER.p50 < 1us',
        '  - metric: REGISTER.p999 < 1min',
        '  - metric: memory.avg < 1MB',
        '    abortOnFail: true',
        '    grace: 1h'
      ].join('\n')
    )
    // on a busy machine nobody looks at the server in less
    const ended = await run([...SMALL, '--rate', '20/s', '--config', config])
    assert.equal(ended.code, 3, ended.stderr)
    assertComplete({ ...ended, code: 0 })
    assert.deepEqual(
      verdicts(ended.result).map(([, passed]) => passed),
      [false, false, false]
    )
    assert.match(ended.stdout, /^\| ✖ REGISTER\.p50 \\?< 1us +\| [\d.]+ ms/m)
    assert.match(
      ended.stdout,
      /^\| ✖ REGISTER\.p999 \\?< 1min +\| too few samples: 40, and 10,000 are needed +\| failed \|$/m
    )
    assert.match(ended.stdout, /^\| ✖ memory\.avg \\?< 1MB +\| \d+(\.\d)? MB +\| failed \|$/m)
  })

  test('abortOnFail: the run ends early, and what was measured is kept', TIMEOUT, async () => {
    const { code, stdout, result } = await run([
      ...QUICK,
      ...['--nClients', '2', '--benchmarkType', 'DISCOVER', '--duration', '50s', '--thinkTime', '20ms'],
      ...['--initialRegistrations', '10'],
      ...['--threshold', 'DISCOVER.p50 < 1us, abortOnFail, grace=1s', '--threshold', 'errorRate <= 0%']
    ])
    assert.equal(code, 3)
    assert.deepEqual([result.status, result.reason?.code], ['partial', 'THRESHOLD_FAILED'])
    assert.deepEqual(verdicts(result), [
      ['DISCOVER.p50 < 1us', false],
      ['errorRate <= 0%', true]
    ])
    assert.match(stdout, /^⚠ Partial result: threshold DISCOVER\.p50 < 1us failed at [\d.]+ ms$/m)
    assert.match(
      stdout,
      /^\| ✖ DISCOVER\.p50 \\?< 1us +\| .*broke off the run after 1 s of failing \| failed \|$/m
    )
    assert.match(stdout, /^\| ✔ errorRate \\?<= 0% +\| 0 % +\| passed \|$/m)
    const { measuredMs } = result.outcome
    assert.ok(measuredMs >= 1000 && measuredMs < 40_000, `${measuredMs} ms`)
    assert.ok(operation(result, 'DISCOVER').count > 0)
    assert.ok(result.run.health[0].utilization > 0)
    assertSumsAgree(result)
  })
})
