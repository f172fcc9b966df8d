import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { LONG, resultOf, theirAgents } from '../acceptance/agent-study.js'
import { NO_NATS } from '../acceptance/bus.js'
import { operation } from '../acceptance/consistent.js'
import { documentIn, INDEX, newFolder, startProgram, TIMEOUT } from '../acceptance/loadtest.js'
import { localAgents } from '../acceptance/local-agents.js'
import { until } from '../until.js'

/** Runs that stand in the folder of a study while it goes on. @param {string} outputDir */
const firstRun = async outputDir => {
  const [study] = await readdir(outputDir)
  const runs = join(outputDir, study ?? '', 'a')
  const [first] = await readdir(runs).catch(() => [])
  return first === undefined ? null : resultOf(runs, first).catch(() => null)
}
/** Figures of its first run have come. @param {import('../acceptance/program.js').Program} going @param {string} outputDir */
const isMeasuring = async (going, outputDir) => {
  /** @type {import('../acceptance/program.js').Ended | null} */
  let ended = null
  void going.ended.then(how => {
    ended = how
  })
  await until(
    async () => {
      if (ended !== null) throw new Error(`it has ended: ${ended.stderr}`)
      return ((await firstRun(outputDir))?.outcome.operations.REGISTER?.count ?? 0) > 0
    },
    { mostMs: 400_000, everyMs: 50 }
  )
}

describe('a study over agents', { skip: NO_NATS }, () => {
  /** @type {Awaited<ReturnType<typeof localAgents>>} */
  let local
  /** @type {string[]} */
  let over
  before(async () => {
    local = await localAgents({ one: {}, two: {} })
    over = ['--bus', local.bus.url, '--agents', 'one=1,two=1']
  })
  after(() => local?.bus.kill())

  test('goes on with those that are left, as it was asked to', TIMEOUT, async () => {
    const outputDir = await newFolder()
    const asked = ['--runs', '2', ...LONG, ...over, '--onLostAgent', 'continue']
    const going = startProgram(INDEX, [...asked, '--outputDir', outputDir])
    await isMeasuring(going, outputDir)
    await local.programs[1].endNow()
    const { code, stderr } = await going.ended
    assert.equal(code, 0, stderr)
    assert.match(stderr, new RegExp(`agent ${local.ids[1]} \\(.*\\) is not part of the next run`))
    const { folder, document } = await documentIn(outputDir, 'comparison.json')
    const [first, second] = await Promise.all(
      document.sides[0].runs.map((/** @type {string} */ run) => resultOf(folder, run))
    )
    assert.ok(first.run.warnings.some((/** @type {any} */ { code }) => code === 'AGENT_LOST'))
    assert.deepEqual(theirAgents(second), [local.ids[0]])
    assert.equal(operation(second, 'REGISTER').count, 160)
  })

  test('ends with the run that lost an agent', TIMEOUT, async () => {
    const outputDir = await newFolder()
    const asked = ['--runs', '2', ...LONG, '--bus', local.bus.url, '--agents', '1']
    const going = startProgram(INDEX, [...asked, '--outputDir', outputDir])
    await isMeasuring(going, outputDir)
    await local.programs[0].endNow()
    const { code, stderr } = await going.ended
    assert.equal(code, 1, stderr)
    const { document } = await documentIn(outputDir, 'comparison.json')
    assert.equal(document.reason.code, 'AGENT_LOST')
    assert.deepEqual(document.sides[0].runs, [null, null])
  })
})
