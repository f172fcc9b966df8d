import { MemoryStore } from '../../../src/server/store/memory-store.js'
import { holdsContract } from './contract.js'

holdsContract({ name: 'memory', make: async (_, caps) => new MemoryStore(caps) })
