// Loaded into each process of a run, through NODE_OPTIONS: when it ends, which script it ran and what it had loaded goes as a line into
// the file that LOADED_LOG names. V8 is asked: hooks of the module loader are not told what CommonJS modules require.
import { appendFileSync } from 'node:fs'
import { Session } from 'node:inspector'
import { isMainThread } from 'node:worker_threads'

/** @param {string} log */
function logLoaded(log) {
  /** @type {Set<string>} */
  const loaded = new Set()
  const session = new Session()
  session.connect()
  session.on('Debugger.scriptParsed', ({ params: { url } }) => {
    if (url !== '' && !url.startsWith('node:') && url !== import.meta.url) loaded.add(url)
  })
  session.post('Debugger.enable')
  process.once('exit', () =>
    appendFileSync(log, `${JSON.stringify({ script: process.argv[1], loaded: [...loaded] })}\n`)
  )
}

const { LOADED_LOG } = process.env
if (LOADED_LOG !== undefined && isMainThread) logLoaded(LOADED_LOG)
