import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { freeze } from '../../src/target/container.js'

/** Words of an engine whose runtime is runc. */
const UNABLE = 'Cannot pause container c: OCI runtime pause failed: unable to freeze: unknown'

/** A container that is not paused so often. @param {number} refusals @param {string} message */
function container(refusals, message) {
  const asked = { times: 0 }
  const pause = async () => {
    if (asked.times++ < refusals)
      throw Object.assign(new Error(`(HTTP code 500) ${message}`), { json: { message } })
  }
  return { asked, pause }
}

describe('a container that is to be paused', () => {
  test('is asked again where the runtime gave up on a busy machine', async () => {
    const busy = container(2, UNABLE)
    await freeze(busy)
    assert.equal(busy.asked.times, 3)
  })

  test('is not asked for ever', async () => {
    const stuck = container(Number.POSITIVE_INFINITY, UNABLE)
    await assert.rejects(freeze(stuck), /unable to freeze/)
    assert.equal(stuck.asked.times, 5)
  })

  test('is not asked again where it cannot be paused for another reason', async () => {
    const gone = container(1, 'No such container: c')
    await assert.rejects(freeze(gone), /No such container/)
    assert.equal(gone.asked.times, 1)
  })
})
