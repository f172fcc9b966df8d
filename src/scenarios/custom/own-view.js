import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { deserialize, serialize } from 'node:v8'
import { Html } from '../../kit/html.js'
import { nodeFlags } from '../../workers/forked-process.js'
import { ScenarioFaultError } from './scenario-process.js'

/**
 * What a user's own view consists of, as it crosses processes: functions stay where they are, and are called there.
 *
 * @typedef {string | { args: unknown[] }} Step - to a part of it, or through a call
 * @typedef {{ value: unknown, error?: undefined } | { error: string }} Answer
 */

const ENTRY = fileURLToPath(new URL('./view-entry.js', import.meta.url))

const CALL_MS = 30_000
const MOST_BYTES = 64 * 1024 * 1024
/** Views of a run are asked for the same again and again. */
const MOST_KEPT = 100

/** What stands for what cannot cross. */
const FUNCTION = 'loadtest:function'
const HTML = 'loadtest:html'

/** told is a value as it crosses. @param {any} value @returns {unknown} */
export function told(value) {
  if (typeof value === 'function') return { [FUNCTION]: true }
  if (value instanceof Html) return { [HTML]: String(value) }
  return throughout(value, told)
}

/** @param {any} value @param {(part: unknown, key: string) => unknown} change */
function throughout(value, change) {
  if (Array.isArray(value)) return value.map((part, i) => change(part, String(i)))
  if (value === null || typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype)
    return value
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, change(part, key)]))
}

/**
 * ownView gives the parts of a view that a user's scenario has of its own. Each of its functions runs in a process of its own, and this one
 * waits for it.
 *
 * @param {string} path - of the file
 * @param {unknown} said - what `told` gave of it
 * @returns {Partial<import('../../report/view.js').ScenarioView>}
 */
export function ownView(path, said) {
  /** @type {Map<string, unknown>} */
  const kept = new Map()
  /** @param {any} value @param {Step[]} steps @returns {unknown} */
  const heard = (value, steps) => {
    if (value?.[HTML] !== undefined) return new Html(value[HTML])
    if (value?.[FUNCTION] === undefined) return throughout(value, (part, key) => heard(part, [...steps, key]))
    return (/** @type {unknown[]} */ ...args) => {
      const asked = [...steps, { args: args.map(withoutFunctions) }]
      const key = JSON.stringify(asked)
      if (!kept.has(key)) {
        if (kept.size === MOST_KEPT) kept.clear()
        kept.set(key, called(path, asked))
      }
      return heard(kept.get(key), asked)
    }
  }
  return /** @type {any} */ (heard(said, []))
}

/** @param {unknown} value @returns {unknown} */
const withoutFunctions = value =>
  typeof value === 'function' ? undefined : throughout(value, withoutFunctions)

/** @param {string} path @param {Step[]} steps @returns {unknown} */
function called(path, steps) {
  const { status, signal, error, output } = spawnSync(
    process.execPath,
    [...nodeFlags(process.execArgv), ENTRY],
    {
      input: serialize({ path, steps }),
      // standard output is for the result
      stdio: ['pipe', 2, 'inherit', 'pipe'],
      timeout: CALL_MS,
      killSignal: 'SIGKILL',
      maxBuffer: MOST_BYTES
    }
  )
  const bytes = /** @type {any} */ (output)?.[3]
  /** @type {Answer} */
  const answer =
    status === 0 && bytes?.length > 0
      ? deserialize(bytes)
      : { error: late(error) ?? `its process ended with ${signal ?? `exit code ${status}`}` }
  if (answer.error === undefined) return answer.value
  const where = steps.filter(step => typeof step === 'string').join('.')
  throw new ScenarioFaultError(`${path}: view.${where}: ${answer.error}`)
}

/** @param {(Error & { code?: string }) | undefined} error */
const late = error =>
  error?.code === 'ETIMEDOUT' ? `was not done within ${CALL_MS / 1000} s` : error?.message
