// Original file: provider/api/proto/machine/machine.proto


export interface ControlPlaneConfig {
  'endpoint'?: (string);
}

export interface ControlPlaneConfig__Output {
  'endpoint': (string);
}
