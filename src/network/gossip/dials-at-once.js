/**
 * DIALS_AT_ONCE are under way in a network while it is joined (in a simulated one of more nodes, one of each node): who is connected first
 * grafts first, so that meshes of networks whose connections come all at once are less dense.
 */
export const DIALS_AT_ONCE = 40
