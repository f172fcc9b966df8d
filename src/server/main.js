// Entry of the server's process: it runs the command in process/command.js.
import '../kit/runtime.js'
import { loadModules } from '../kit/runtime.js'

const { runServerCommand } = await loadModules(() => import('./process/command.js'))

process.exit(await runServerCommand())
