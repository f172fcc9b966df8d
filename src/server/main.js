import '../node-shim.js'
import { loadFiles } from '../open-files.js'

const { main } = await loadFiles(() => import('./command.js'))

process.exit(await main())
