import { namespaces } from './conditions.js'

/**
 * namespaceOptions are the options of a network of namespaces alone.
 *
 * @param {string} group - of --help
 * @returns {{ congestionControl: import('../../../plan/option.js').Option }}
 */
export const namespaceOptions = group => ({
  congestionControl: {
    group,
    allowed: 'must be host, or a congestion control of the kernel by its name, such as reno',
    schema: z => z.string().regex(/^[a-z0-9_]+$/),
    only: namespaces(),
    ofCase: true,
    added: null,
    describe:
      'what TCP between namespaces goes by: reno, or another one that this machine allows everybody; host, as it is without this: as on this machine'
  }
})
