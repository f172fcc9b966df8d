// Preloaded into a server process so that its parent can record CPU and heap profiles.
import { makeProcessProfile } from '../../measure/process-profile.js'

/** Imported by a process before it becomes our server: its parent has it sampled. Messages of others are not for it. */
const profile = /** @type {Record<string, (argument: any) => Promise<unknown>>} */ (
  /** @type {unknown} */ (makeProcessProfile())
)

process.on('message', async (/** @type {any} */ message) => {
  const method = message?.profile
  if (typeof method !== 'string' || !Object.hasOwn(profile, method)) return
  const answer = await profile[method](message.argument).then(
    result => ({ result }),
    (/** @type {Error} */ { message: error }) => ({ error })
  )
  process.send?.({ profile: method, ...answer }, () => {})
})
// it is no reason for the server to stay
process.channel?.unref()
