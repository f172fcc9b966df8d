// A process whose clock others ask for over a bus, as agents answer; the clock is off as it is told.
import '../../src/kit/runtime.js'
import { startPresence } from '../../src/agents/presence.js'
import { parseBusAddress } from '../../src/plan/agents.js'

const [, , url] = process.argv
/** @type {import('../../src/agents/presence.js').Presence | undefined} */
let presence

process.on('message', async (/** @type {{ id: string, env: Record<string, string> }} */ { id, env }) => {
  await presence?.end()
  // threads take over what stands there when they start
  Object.assign(process.env, env)
  presence = await startPresence({
    ...{ address: parseBusAddress(url), key: `agent.${id}`, value: {}, clockOf: id, watched: 'run.*' },
    ...{ onEntry: () => {}, onLost: () => {} }
  })
  process.send?.(id)
})
process.once('disconnect', async () => {
  await presence?.end()
  process.exit()
})
process.send?.({ ready: true })
