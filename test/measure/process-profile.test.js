import assert from 'node:assert/strict'
import { verify } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeCpuSampling, writeProfile } from '../../src/measure/process-profile.js'
import { findHotSpots } from '../../src/run/profiles.js'

/** @typedef {import('../../src/measure/process-profile.js').CpuProfile} CpuProfile */

const PUBLIC_KEY = { kty: 'OKP', crv: 'Ed25519', x: Buffer.alloc(32, 1).toString('base64url') }

/** CPU time that a profile has samples of, whatever else the machine does. */
const WORK_MICROS = 60_000

/** Work that a profile must name. */
function verifySignatures() {
  const before = process.cpuUsage()
  while (process.cpuUsage(before).user < WORK_MICROS) {
    verify(null, Buffer.alloc(100), { key: PUBLIC_KEY, format: 'jwk' }, Buffer.alloc(64))
  }
}

async function profileOfVerifying() {
  const sampling = makeCpuSampling({ intervalMicros: 200 })
  await sampling.start()
  verifySignatures()
  return sampling.stop()
}

describe('CPU sampling', () => {
  it('sees what this process does, by function and by what it is about', async () => {
    const { samples, categories, functions } = findHotSpots([await profileOfVerifying()])
    assert.ok(samples > 0, `${samples} samples`)
    const named = categories.map(({ category }) => category)
    assert.ok(named.includes('signature') && named.includes('key handling'), named.join(', '))
    assert.ok(
      functions.some(({ package: from }) => from === 'node:crypto'),
      'node:crypto'
    )
    const own = categories.find(({ category }) => category === 'load generator')
    assert.ok((own?.totalShare ?? 0) > 0.1, 'our own code calls it all')
  })

  it('sees what is done between start and stop only', async () => {
    verifySignatures()
    const sampling = makeCpuSampling()
    await sampling.start()
    const profile = await sampling.stop()
    assert.ok(!profile.nodes.some(({ callFrame }) => callFrame.functionName === 'verifySignatures'))
  })

  it('sees waiting as idle', async () => {
    const sampling = makeCpuSampling()
    let idle = 0
    // where other processes have the cores, a sampler may see none of a short wait
    for (let wait = 100; idle === 0 && wait <= 6400; wait *= 2) {
      await sampling.start()
      await sleep(wait)
      idle = findHotSpots([await sampling.stop()]).idleShare
    }
    assert.ok(idle > 0)
  })

  it('can be started again', async () => {
    const sampling = makeCpuSampling({ intervalMicros: 200 })
    for (let i = 0; i < 2; i++) {
      await sampling.start()
      verifySignatures()
      assert.ok(((await sampling.stop()).samples ?? []).length > 0)
    }
  })

  it('says what is wrong when it is stopped before it is started, or started twice', async () => {
    const sampling = makeCpuSampling()
    await assert.rejects(sampling.stop(), /not on: start it before/)
    await sampling.start()
    await assert.rejects(sampling.start(), /on already: stop it before/)
    await sampling.stop()
    await assert.rejects(sampling.stop(), /not on: start it before/)
  })

  for (const intervalMicros of [0, -1, 0.5, Number.NaN]) {
    it(`refuses an interval of ${intervalMicros} µs`, () => {
      assert.throws(() => makeCpuSampling({ intervalMicros }), {
        name: 'RangeError',
        message: `intervalMicros is ${intervalMicros}: it must be a whole number of µs, 1 or more`
      })
    })
  }
})

describe('a profile on disk', () => {
  /** @type {string} */
  let folder
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cpu-sampling-'))
  })
  after(() => rm(folder, { recursive: true }))

  it('is what V8 gave, as JSON on one line', async () => {
    const profile = await profileOfVerifying()
    const file = join(folder, 'worker-0.cpuprofile')
    await writeProfile(file, profile)
    const text = await readFile(file, 'utf8')
    assert.ok(!text.includes('\n'))
    assert.deepEqual(JSON.parse(text), profile)
  })

  it('names the file when it cannot be written', async () => {
    const file = join(folder, 'missing', 'worker-0.cpuprofile')
    const empty = { nodes: [], startTime: 0, endTime: 0, samples: [], timeDeltas: [] }
    await assert.rejects(writeProfile(file, empty), ({ message, cause }) => {
      assert.ok(message.startsWith(`the CPU profile could not be written to ${file}: `), message)
      assert.equal(cause.code, 'ENOENT')
      return true
    })
  })
})
