import { totalmem } from 'node:os'

const SHARE = 1 / 4

/**
 * defaultStoreBytes is what registrations may take when nothing else is said: a quarter of the memory of the control group, or of
 * the machine.
 *
 * @param {{ constrained?: number, total: number }} [memory] - bytes; `constrained` by a control group, above `total` or 0: by none
 */
export function defaultStoreBytes({ constrained = 0, total } = memoryThereIs()) {
  return Math.floor((constrained > 0 ? Math.min(constrained, total) : total) * SHARE)
}

const memoryThereIs = () => ({ constrained: process.constrainedMemory?.(), total: totalmem() })
