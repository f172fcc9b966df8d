// Entry of the process that waits until a run ends, then removes the containers and networks that it left in Docker.
import '../../kit/runtime.js'
import { rm } from 'node:fs/promises'
import { finished } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'

/** The engine may still serve a request whose sender has ended. */
const SECOND_PASS_MS = 3000

const [run, folder] = process.argv.slice(2)
await finished(process.stdin.resume()).catch(() => {})

const { reachEngine, removeRun } = await import('../docker-engine.js')
const engine = await reachEngine().catch(() => null)
const clear = async () => {
  if (engine !== null) await removeRun(engine.docker, run)
}
await clear().catch(() => {})
if (folder !== undefined) await rm(folder, { recursive: true, force: true })
await sleep(SECOND_PASS_MS)
await clear()
