// Original file: provider/api/proto/machine/machine.proto


export interface RouteConfig {
  'network'?: (string);
  'gateway'?: (string);
  'metric'?: (number);
}

export interface RouteConfig__Output {
  'network': (string);
  'gateway': (string);
  'metric': (number);
}
