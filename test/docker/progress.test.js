import assert from 'node:assert/strict'
import { test } from 'node:test'
import { followed, progressReader } from '../../src/target/images.js'

/** @param {import('../../src/target/images.js').Message[]} messages */
const told = messages =>
  messages
    .map(progressReader())
    .filter(progress => progress !== null)
    .map(({ done, total, unit }) => `${done} / ${total} ${unit}`)

test('a build tells its steps', () => {
  const messages = [
    { stream: 'Step 1/11 : FROM x\n' },
    { stream: ' ---> 65611c9437a4\n' },
    { stream: 'Step 2/11 : COPY . /app\n' },
    { stream: 'Successfully built 65611c9437a4\n' }
  ]
  assert.deepEqual(told(messages), ['1 / 11 steps of its image', '2 / 11 steps of its image'])
})

test('a pull tells its layers, each once when it is known and once when it is there', () => {
  const [a, b] = ['0123456789ab', 'ba9876543210']
  const messages = [
    { status: 'Pulling from library/node', id: '22-slim' },
    { status: 'Pulling fs layer', id: a },
    { status: 'Already exists', id: b },
    { status: 'Downloading', id: a },
    { status: 'Pull complete', id: a },
    { status: 'Status: Downloaded newer image for node:22-slim' }
  ]
  assert.deepEqual(
    told(messages),
    ['0 / 1', '1 / 2', '2 / 2'].map(count => `${count} layers of its base image`)
  )
})

/** @param {Error | null} error @param {import('../../src/target/images.js').Message[]} messages */
async function follow(error, messages) {
  /** @type {string[]} */
  const told = []
  const modem = {
    followProgress(/** @type {any} */ _, /** @type {any} */ onFinished, /** @type {any} */ onMessage) {
      for (const message of messages) onMessage(message)
      onFinished(error, messages)
    }
  }
  await followed(/** @type {any} */ ({ modem }), /** @type {any} */ (null), ({ text }) => told.push(text))
  return told
}

test('a build is followed to its end', async () => {
  assert.deepEqual(await follow(null, [{ stream: 'Step 1/2 : FROM x' }, { stream: 'done' }]), ['FROM x'])
})

test('a build fails with what the engine gives as the reason, or with what happened to the engine', async () => {
  await assert.rejects(
    follow(null, [{ stream: 'a' }, { error: 'no space left\n' }]),
    new Error('no space left')
  )
  await assert.rejects(follow(new Error('socket hang up'), [{ error: 'x' }]), new Error('socket hang up'))
})
