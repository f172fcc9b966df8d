// The main module of the server's process.
import '../kit/runtime.js'
import { loadFiles } from '../kit/runtime.js'

const { main } = await loadFiles(() => import('./command.js'))

process.exit(await main())
