// The main module of the server's process.
import '../kit/runtime.js'
import { loadModules } from '../kit/runtime.js'

const { runServerCommand } = await loadModules(() => import('./process/command.js'))

process.exit(await runServerCommand())
