/**
 * camelCase turns `n-clients` into `nClients` and leaves other names alone.
 *
 * @param {string} name
 */
export const camelCase = name => name.replace(/-+([a-z])/gi, (_, letter) => letter.toUpperCase())
