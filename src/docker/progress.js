/**
 * @typedef {{ done: number, total: number, unit: string, text: string }} Progress
 * @typedef {(progress: Progress) => void} OnProgress
 *
 * @typedef {object} Message - of an engine that builds or pulls
 * @property {string} [stream]
 * @property {string} [status]
 * @property {string} [id] - of a layer
 * @property {string} [error]
 */

/** @type {readonly string[]} */
const LAYER_DONE = ['Pull complete', 'Already exists']

/**
 * followed waits until an engine has built or pulled something.
 *
 * @param {import('dockerode')} docker
 * @param {NodeJS.ReadableStream} stream - of its messages
 * @param {OnProgress} onProgress
 * @throws {Error} what the engine gives as the reason
 */
export function followed(docker, stream, onProgress) {
  const progressOf = progressReader()
  return new Promise((resolve, reject) => {
    /** @param {Error | null} error @param {Message[]} messages */
    function onFinished(error, messages) {
      const reason = messages.find(message => message.error)?.error
      if (error) reject(error)
      else if (reason) reject(new Error(reason.trim()))
      else resolve(undefined)
    }
    docker.modem.followProgress(stream, onFinished, message => {
      const progress = progressOf(message)
      if (progress !== null) onProgress(progress)
    })
  })
}

/**
 * progressReader makes progress of an engine's messages: steps of a build, layers of a pull.
 *
 * @returns {(message: Message) => Progress | null}
 */
export function progressReader() {
  const layers = new Map()
  return ({ stream, status = '', id }) => {
    const step = /^Step (\d+)\/(\d+) : (.*)/.exec(stream ?? '')
    if (step !== null)
      return { done: Number(step[1]), total: Number(step[2]), unit: 'steps of its image', text: step[3] }
    if (id === undefined || !/^[0-9a-f]{12}$/.test(id)) return null
    const done = LAYER_DONE.includes(status)
    if (layers.get(id) === done) return null
    layers.set(id, done)
    const complete = [...layers.values()].filter(Boolean).length
    return {
      done: complete,
      total: layers.size,
      unit: 'layers of its base image',
      text: `${id} ${status.toLowerCase()}`
    }
  }
}
