#include "CTransfer.h"
