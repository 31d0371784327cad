# Copyright 2026 the imu_noise contributors
#
# Licensed under the Apache License, Version 2.0 (the "License");
# you may not use this file except in compliance with the License.
# You may obtain a copy of the License at
#
#     http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS,
# WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
# See the License for the specific language governing permissions and
# limitations under the License.

"""Property tests: hypothesis makes up the input, and what is promised must hold for all of it.

HYPOTHESIS_PROFILE=long tries many more inputs, other ones each time.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parent))

try:
    import hypothesis
except ImportError:
    # Without it there are no tests here; pytest must not even look at them.
    collect_ignore_glob = ["*"]
else:
    quiet = {
        "deadline": None,
        "suppress_health_check": list(hypothesis.HealthCheck),
        # To look for a shorter counterexample takes minutes.
        "phases": [hypothesis.Phase.explicit, hypothesis.Phase.generate],
    }
    # In CI the same inputs every time, and no file left behind.
    hypothesis.settings.register_profile("ci", derandomize=True, database=None, **quiet)
    hypothesis.settings.register_profile("long", database=None, **quiet)
    hypothesis.settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))
