import assert from 'node:assert/strict'
import { once } from 'node:events'
import { it } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { limitSignal } from '../../src/kit/time.js'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc')

it('a limit of time within another signal is kept, whatever is collected meanwhile', async () => {
  const signal = limitSignal(new AbortController().signal, 100)
  const aborted = once(signal, 'abort')
  // so that the process waits for it
  const wait = setTimeout(() => {}, 5000)
  for (let i = 0; i < 3; i++) {
    await new Promise(resolve => setImmediate(resolve))
    collect()
  }
  await Promise.race([
    aborted,
    new Promise((_, reject) => setTimeout(reject, 4000, new Error('never')).unref())
  ])
  clearTimeout(wait)
  assert.equal(signal.reason.name, 'TimeoutError')
})

it('what is aborted with the other signal has its reason', () => {
  const other = new AbortController()
  const signal = limitSignal(other.signal, 10_000)
  other.abort(new Error('stop'))
  assert.equal(signal.reason.message, 'stop')
})
