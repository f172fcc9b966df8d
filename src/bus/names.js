/** FORMAT of what is said on the bus: another one with each change of it that an older agent, or an older run, would take for something else. */
export const FORMAT = 3

/** BUCKET of the key-value store in which agents and coordinators say that they are there. */
export const BUCKET = 'loadtest'
/** STREAM that keeps what agents tell, so that a link that was lost loses nothing. */
export const STREAM = 'LOADTEST'

/** The subjects of all. @type {Readonly<Record<'asked' | 'clock', (agent: string) => string>>} */
export const SUBJECT = Object.freeze({
  asked: agent => `loadtest.agent.${agent}`,
  clock: agent => `loadtest.clock.${agent}`
})

/** told is the subject of what agents tell a run. @param {string} run @param {string} agent - `*`: each */
export const told = (run, agent) => `loadtest.told.${run}.${agent}`

/** KEY of an agent, and of a coordinator's run. */
export const KEY = Object.freeze({
  agent: (/** @type {string} */ id) => `agent.${id}`,
  run: (/** @type {string} */ id) => `run.${id}`
})
