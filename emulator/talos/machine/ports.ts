/** The ports of Talos (talos v1.12.1, `pkg/machinery/constants`). */
export const apidPort = 50000;
export const trustdPort = 50001;
export const apiServerPort = 6443;
