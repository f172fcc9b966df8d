import '../../src/node-shim.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { livesAtMost, rotationSchedule } from '../../src/load/rotation-schedule.js'

const PLAN = {
  seed: 1,
  stable: 6,
  ephemeral: 2,
  rotateEveryMs: 4000,
  downForMs: 1500,
  durationMs: 20_000,
  dials: 3
}

describe('a schedule of rotating nodes', () => {
  const lives = rotationSchedule(PLAN)

  test('kills the ephemeral nodes in turn, and starts another one in the place of each', () => {
    assert.deepEqual(
      lives.map(({ node, slot, startMs, killMs }) => [node, slot, startMs, killMs]),
      [
        [6, 6, null, 4000],
        [7, 7, null, 8000],
        [8, 6, 5500, 12_000],
        [9, 7, 9500, 16_000],
        [10, 6, 13_500, null],
        [11, 7, 17_500, null]
      ]
    )
  })

  test('has new nodes dial so many stable ones, each once; the first ones are dialled by the topology', () => {
    for (const { startMs, dials } of lives) {
      assert.equal(dials.length, startMs === null ? 0 : 3)
      assert.equal(new Set(dials).size, dials.length)
      assert.ok(dials.every(node => node < PLAN.stable))
    }
  })

  test('follows from the seed', () => {
    assert.deepEqual(rotationSchedule(PLAN), lives)
    const others = rotationSchedule({ ...PLAN, seed: 2 })
    assert.notDeepEqual(
      others.map(({ dials }) => dials),
      lives.map(({ dials }) => dials)
    )
  })

  test('leaves a place empty whose next node would start when publishing is over', () => {
    const cut = rotationSchedule({ ...PLAN, durationMs: 17_000 })
    assert.deepEqual(
      cut.slice(-2).map(({ node, killMs }) => [node, killMs]),
      [
        [9, 16_000],
        [10, null]
      ]
    )
  })

  test('never has two nodes in one place', () => {
    for (const rotateEveryMs of [1000, 3000, 7000]) {
      const many = rotationSchedule({ ...PLAN, ephemeral: 3, rotateEveryMs, durationMs: 100_000 })
      for (const { slot, startMs, killMs } of many) {
        const next = many.find(life => life.slot === slot && (life.startMs ?? -1) > (startMs ?? -1))
        if (next !== undefined) assert.ok(killMs !== null && killMs < Number(next.startMs))
      }
      assert.ok(many.length <= livesAtMost({ ephemeral: 3, rotateEveryMs, durationMs: 100_000 }))
    }
  })
})
