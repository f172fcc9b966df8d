import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { memoryInUse, statsReading } from '../../src/measure/resources.js'
import { ResourceSeries } from '../../src/measure/series.js'

/**
 * @typedef {import('../../src/measure/resources.js').ContainerStats} ContainerStats
 * @typedef {ContainerStats & { preread: string, precpu_stats: ContainerStats['cpu_stats'] }} Message - as the engine sends it
 */

/** @param {string} file @returns {Message[]} */
const recorded = file => JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8'))

/** Three messages of engine 20.10, of a program that turns in circles and is allowed half a core of two. */
const V1 = recorded('container-stats-v1.json')

/** A message that Amazon's documentation of ECS task metadata (version 4) shows. */
const V2 = recorded('container-stats-v2.json')

/**
 * The engine's formula, from the message alone.
 *
 * @param {Message} message
 */
function cpuPercent({ cpu_stats: now, precpu_stats: before }) {
  const used = now.cpu_usage.total_usage - before.cpu_usage.total_usage
  const system = (now.system_cpu_usage ?? 0) - (before.system_cpu_usage ?? 0)
  return (used / system) * (now.online_cpus ?? 0) * 100
}

/** @param {ContainerStats} message */
function readingOf(message) {
  const reading = statsReading(message)
  assert.ok(reading !== null)
  return reading
}

/** What a series makes of a message and the one before. @param {Message} message */
function sampledPercent(message) {
  const series = new ResourceSeries()
  series.begin(readingOf({ ...message, cpu_stats: message.precpu_stats }))
  series.end(readingOf(message))
  return series.result().cpu.averagePercent ?? Number.NaN
}

describe('the CPU of a container is what the engine makes of the same messages', () => {
  for (const [version, message, about] of /** @type {[number, Message, number][]} */ ([
    [1, V1[1], 50],
    [1, V1[2], 50],
    [2, V2[0], 0.0669]
  ]))
    test(`control groups of version ${version}, ${message.preread}`, () => {
      const percent = sampledPercent(message)
      assert.ok(Math.abs(percent - cpuPercent(message)) < 1e-9, String(percent))
      assert.ok(Math.abs(percent / about - 1) < 0.05, String(percent))
    })

  test('the first message of a stream has none before it, and is a reading all the same', () => {
    assert.equal(V1[0].precpu_stats.system_cpu_usage, undefined)
    assert.equal(statsReading({ ...V1[0], cpu_stats: V1[0].precpu_stats }), null)
    const series = new ResourceSeries()
    series.begin(readingOf(V1[0]))
    for (const message of V1.slice(1)) series.read(readingOf(message))
    assert.equal(series.samples.length, 2)
    for (const { cpuPercent: percent } of series.samples)
      assert.ok(Math.abs(percent - 50) < 2.5, String(percent))
  })

  test('where an old engine does not count the cores', () => {
    const old = V1.map(({ cpu_stats: { online_cpus, ...cpu_stats }, ...rest }) => ({ ...rest, cpu_stats }))
    assert.deepEqual(old.map(statsReading), V1.map(statsReading))
  })
})

test('a container that does not run gives no reading', () => {
  const stopped = { cpu_stats: { cpu_usage: { total_usage: 0 } }, memory_stats: {} }
  assert.equal(statsReading(stopped), null)
})

describe('memory is what is charged without the page cache', () => {
  /** @type {[string, Parameters<typeof memoryInUse>[0], number][]} */
  const cases = [
    ['version 1', V1[1].memory_stats, 9_547_776],
    ['version 2', V2[0].memory_stats, 35_291_136],
    ['a cache as large as all: not subtracted', { usage: 10, stats: { inactive_file: 10 } }, 10],
    ['a cache that is larger: not subtracted', { usage: 10, stats: { inactive_file: 11 } }, 10],
    ['no details', { usage: 10 }, 10],
    ['nothing', {}, 0]
  ]
  for (const [what, memory, bytes] of cases) test(what, () => assert.equal(memoryInUse(memory), bytes))
})
