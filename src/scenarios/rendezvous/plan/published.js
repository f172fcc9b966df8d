import { caseKeys } from '../../../plan/option.js'
import { OPTIONS } from './options.js'

/** PUBLISHED says which plans are those of a published case, and what figures it can have. @type {Readonly<import('../../scenario.js').Published>} */
export const PUBLISHED = {
  rowFigures: {
    columns: {
      benchmarkType: 'Type',
      nClients: 'Clients',
      initialRegistrations: 'Io Reg',
      nNamespaces: 'Namespaces',
      registerMode: 'Mode',
      rate: 'Due/s',
      servers: 'Servers',
      discoverLimit: 'Limit',
      seed: 'Seed',
      rtMs: ['Avg RT', 'Median RT', 'Max RT'],
      cpuPercent: ['Avg CPU', 'Median CPU', 'Max CPU'],
      memoryMb: ['Avg Mem', 'Median Mem', 'Max Mem']
    },
    drawn: ['Median RT', 'p99 RT', 'Avg CPU', 'Avg Mem'],
    over: ['Op/s']
  },
  case: caseKeys(OPTIONS),
  reference(z) {
    const number = z.number({ error: 'must be a number' })
    const figures = z.tuple([number, number, number], {
      error: 'must be three numbers: average, median and maximum'
    })
    return { rtMs: figures, cpuPercent: figures, memoryMb: figures }
  }
}
