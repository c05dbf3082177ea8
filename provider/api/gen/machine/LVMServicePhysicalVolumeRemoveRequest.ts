// Original file: provider/api/proto/machine/lvm.proto


export interface LVMServicePhysicalVolumeRemoveRequest {
  'device'?: (string);
}

export interface LVMServicePhysicalVolumeRemoveRequest__Output {
  'device': (string);
}
