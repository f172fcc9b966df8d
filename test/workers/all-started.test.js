import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { allStarted } from '../../src/run/workers.js'

/** @param {string} name @param {string[]} stopped */
const started = (name, stopped) => ({ name, stop: async () => void stopped.push(name) })

test('processes that started are given in their order', async () => {
  const processes = ['a', 'b'].map(name => started(name, []))
  const late = new Promise(resolve => setImmediate(resolve)).then(() => processes[0])
  assert.deepEqual(await allStarted(() => [late, Promise.resolve(processes[1])]), processes)
})

test('where one does not start, the others are stopped first, and its error is told', async () => {
  /** @type {string[]} */
  const stopped = []
  const starting = [
    Promise.resolve(started('a', stopped)),
    Promise.reject(new Error('no room')),
    Promise.resolve(started('c', stopped))
  ]
  await assert.rejects(
    allStarted(() => starting),
    /no room/
  )
  assert.deepEqual(stopped, ['a', 'c'])
})

describe('nobody waits for processes that hang while they start', () => {
  const hangs = (/** @type {AbortSignal} */ until) =>
    new Promise((_, reject) => until.addEventListener('abort', () => reject(new Error('killed'))))

  test('where another one does not start', async () => {
    const broken = Promise.reject(new Error('no room'))
    await assert.rejects(
      allStarted(until => [hangs(until), broken]),
      /no room/
    )
  })

  test('where they are to end', async () => {
    const ending = new AbortController()
    setImmediate(() => ending.abort())
    await assert.rejects(
      allStarted(until => [hangs(until), hangs(until)], ending.signal),
      /killed/
    )
  })
})
