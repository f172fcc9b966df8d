/**
 * USUAL is what is validated when nothing else is asked for. A small network leaves a machine of two cores most of its time; with links
 * this slow a hop takes a machine that others use too less than a twentieth of them. The topology is the same for all seeds, so that
 * real runs differ in nothing but chance.
 *
 * @type {Readonly<Record<string, string | number>>}
 */
export const USUAL = {
  nodes: 30,
  topology: 'barabasi-albert:m=4,seed=42',
  linkLatency: '400ms',
  rate: '1/s',
  messages: 30
}

/** SIMULATED_CONGESTION_CONTROL is what the simulated TCP is like: between namespaces the kernel's is to be that too. */
export const SIMULATED_CONGESTION_CONTROL = 'reno'
