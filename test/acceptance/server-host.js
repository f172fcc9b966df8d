// A process that runs our rendezvous server as src/server/main.js does, and another one when that has ended: see kept-processes.js.
import '../../src/kit/runtime.js'
import { runServerCommand } from '../../src/server/process/command.js'

// each server waits for signals, and for the end of who started it
process.setMaxListeners(0)
process.on('disconnect', () => process.exit())

process.on('message', async flags => {
  process.argv.splice(2, process.argv.length, .../** @type {string[]} */ (flags))
  const code = await runServerCommand()
  // what it said is not yet read when that is told, and one that failed is not used again
  if (code === 0) process.send?.({ code })
  else process.exit(code)
})
