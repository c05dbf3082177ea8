// Original file: provider/api/proto/machine/lifecycle.proto


export interface InstallDestination {
  'disk'?: (string);
}

export interface InstallDestination__Output {
  'disk': (string);
}
