import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { assertComplete, operation } from '../acceptance/consistent.js'
import { call, newFolder, run, TIMEOUT } from '../acceptance/loadtest.js'
import { responseMs, samplesIn } from '../acceptance/samples.js'

const DISCOVER = [...['--benchmarkType', 'DISCOVER', '--warmup', '50ms', '--initialRegistrations', '10']]

/**
 * When operations were due, in ms since the first one.
 *
 * @param {string} folder
 */
async function dueMs(folder) {
  const due = (await samplesIn(folder)).map(({ dueNs }) => Number(dueNs)).sort((a, b) => a - b)
  return due.map(ns => (ns - due[0]) / 1e6)
}

/** @param {number[]} times @param {number} from @param {number} to */
const between = (times, from, to) => times.filter(ms => ms >= from && ms < to).length

describe('a load that changes', TIMEOUT, () => {
  test('rises evenly: as many operations as are due, when they are due, over all workers', async () => {
    const ended = await run([
      ...DISCOVER,
      ...['--rate', '20/s', '--arrivals', 'ramp:to=80/s', '--duration', '2s', '--workers', '2', '--samples']
    ])
    assertComplete(ended)
    assert.equal(operation(ended.result, 'DISCOVER').count, 100)
    const due = await dueMs(ended.folder)
    // the integral of the rate over each half
    assert.ok(Math.abs(between(due, 0, 1000) - 35) <= 2, `${between(due, 0, 1000)}`)
    assert.match(ended.stdout, /^\| DISCOVER .*\| open 20\.0\/s rising to 80\.0\/s/m)
    assert.ok((await samplesIn(ended.folder)).every(sample => responseMs(sample) >= 0))
  })

  test('is replayed from a file, and again where the file is not', async () => {
    const folder = await newFolder()
    const file = join(folder, 'arrivals.csv')
    await writeFile(file, 'at,what\n0,a\n0.5,b\n0.5,c\n2,d\n')
    const ended = await run([
      ...DISCOVER,
      '--arrivals',
      `replay:${file},unit=s,column=at,speed=2`,
      '--samples'
    ])
    assertComplete(ended)
    assert.deepEqual((await dueMs(ended.folder)).map(Math.round), [0, 250, 250, 1000])
    await rm(file)
    const again = await call(['rerun', ended.folder, '--outputDir', folder])
    assert.equal(again.code, 0, again.stderr)
    assert.match(again.stdout, /^\| DISCOVER +\| +4 \| +10 \| +5 \| +4 \|/m)
  })

  test('clients that think ask less often, and not in step', async () => {
    const thinking = ['--thinkTime', '150ms-250ms', '--nClients', '10', '--duration', '2s', '--samples']
    const ended = await run([...DISCOVER, ...thinking])
    assertComplete(ended)
    const { count } = operation(ended.result, 'DISCOVER')
    // 10 clients for 2 s at 5 a second each, fewer where replies are slow; 134 at most, by the shortest thinking
    assert.ok(count <= 140 && count >= 20, `${count}`)
    const sent = (await samplesIn(ended.folder))
      .map(({ sentNs }) => Number(sentNs) / 1e6)
      .sort((a, b) => a - b)
    assert.ok(sent[9] - sent[0] > 20, 'they begin at times of their own')
    assert.match(ended.stdout, /Clients think for 150–250 ms after each reply/)
  })
})
