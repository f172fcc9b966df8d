import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { assertComplete } from '../acceptance/consistent.js'
import { call, PAIRS, QUICK, start, TIMEOUT } from '../acceptance/loadtest.js'
import { ON_LINUX } from '../acceptance/processes.js'

/** The least that has a floor. */
const LONG_ENOUGH = ['--duration', '5s', '--rate', '100', '--workers', '1', ...QUICK]

/** @param {import('../../src/report/schema.js').Result} result */
const phasesOf = ({ run }) => run.phases.map(({ name }) => name)

describe('the floor of this generator', { ...ON_LINUX, ...PAIRS }, () => {
  test('a run of 5 s measures it at its rate, once, prints it and keeps it', TIMEOUT, async () => {
    const ended = await start(LONG_ENOUGH).ended
    assertComplete(ended)
    const { result, stdout, stderr, folder } = ended
    const { ratePerSecond, clients, operations, rt } = /** @type {any} */ (result.outcome.floor)
    assert.deepEqual([ratePerSecond, clients, operations], [100, 4, 150])
    assert.ok(rt.count === operations && rt.p50.ms > 0 && rt.p99 === null)
    assert.match(stderr, /✔ null server +\d+\.\d s {3}p50 [\d.,]+ ms at 100\/s/)
    assert.match(stdout, /A null server, which does no work: p50 [\d.,]+ ms at 100\/s\./)
    assert.match(
      await readFile(join(folder, 'report.md'), 'utf8'),
      /^\| Null server \(minimum\) +\| +150 \|/m
    )
    assert.deepEqual(phasesOf(result).slice(-3), ['cooldown', 'floor', 'teardown'])
  })

  test('a shorter run is not held up by it', TIMEOUT, async () => {
    const ended = await start(['--duration', '1s', '--workers', '1', ...QUICK]).ended
    assertComplete(ended)
    const { result, stdout } = ended
    assert.equal(result.outcome.floor, undefined)
    assert.ok(!phasesOf(result).includes('floor') && !/floor/i.test(stdout))
  })

  test('Ctrl-C meanwhile: exit code 130, what was measured is kept, no process stays', TIMEOUT, async () => {
    const loadtest = start(LONG_ENOUGH, { ownGroup: true })
    await loadtest.line(/asking a null server/)
    loadtest.ctrlC()
    const { code, result } = await loadtest.ended
    assert.deepEqual([code, result.outcome.floor, result.reason?.code], [130, undefined, 'INTERRUPTED'])
    assert.equal(result.outcome.operations.REGISTER?.count, 500)
    assert.deepEqual(await loadtest.leftAfter(), [])
  })

  test('a null server that does not start is no failure of the run, which says why', TIMEOUT, async () => {
    const fail = "if(process.argv[1].includes('null-server'))process.exit(7)"
    const loadtest = start(LONG_ENOUGH, { env: { NODE_OPTIONS: `--import=data:text/javascript,${fail}` } })
    const ended = await loadtest.ended
    assertComplete(ended)
    assert.equal(ended.result.outcome.floor, undefined)
    assert.match(ended.stderr, /✔ null server .*not measured: the null server ended with exit code 7/)
  })
  test('doctor tells it in a line', TIMEOUT, async () => {
    const { stdout } = await call(['doctor'])
    assert.match(
      stdout,
      /^null server +p50 [\d.,]+ ms, p99 [\d.,]+ ms at 1,000\/s \(a null server, 4 clients\)$/m
    )
  })
})
