// Entry of the process that runs a scenario that the user wrote.
import '../../../kit/runtime.js'
import { exitWithParent } from '../../../run/parent-watch.js'
import { serveParent } from '../../../run/worker-process.js'

const ALIVE_EVERY_MS = 1000

// with the whole group: the scenario may have started processes
exitWithParent(-process.pid)

const { CustomProcess } = await import('./custom-process.js')

/** @type {import('../../../run/channel.js').Port} */
const port = {
  send: process.send?.bind(process),
  on: process.on.bind(process),
  get connected() {
    return process.connected
  }
}
let isClosing = false

const { say, call } = serveParent(
  setup => new CustomProcess(setup, call),
  ['load', 'plan', 'run', 'end', 'closeAll', 'describe'],
  {
    close: () => {
      isClosing = true
    }
  },
  port
)
setInterval(() => say('alive'), ALIVE_EVERY_MS).unref()

// the scenario must not use our channel: a process without a channel has no `send` either
process.send = undefined
// Node calls it, too, when the parent is gone
process.disconnect = () =>
  void call('fault', 'called process.disconnect').then(endProcessGroup, endProcessGroup)

/** @type {readonly (readonly ['uncaughtException' | 'unhandledRejection', string])[]} */
const UNCAUGHT_EVENTS = [
  ['uncaughtException', 'threw outside of its functions'],
  ['unhandledRejection', 'left a rejection unhandled']
]
for (const [event, what] of UNCAUGHT_EVENTS)
  process.on(
    event,
    (/** @type {any} */ thrown) => void say('fault', `${what}: ${thrown?.message ?? String(thrown)}`)
  )

/** Ends the whole process group: the scenario may have started processes. */
function endProcessGroup() {
  if (isClosing) process.exit()
  process.kill(-process.pid, 'SIGKILL')
}
